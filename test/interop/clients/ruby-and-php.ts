// Ruby's and PHP's libraries, where they are installed; both run what docs/clients.md says.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Driver } from './drivers.ts';
import { asDocumented, shop } from './pasted.ts';

const run = promisify(execFile);
const { RUBY: ruby = 'ruby', PHP: php = 'php', PHP_VENDOR: vendor } = process.env;

/** Debian's package of nearly the same name is another library, without PKCE. */
const rubyVersion = `
require "omniauth_openid_connect"
require "rack/session/cookie"
puts OmniAuth::OpenIDConnect::VERSION if OmniAuth::Strategies::OpenIDConnect.default_options.key?(:pkce)`;

const phpVersion = `
require '${vendor}/autoload.php';
echo Composer\\InstalledVersions::getPrettyVersion('jumbojett/openid-connect-php');`;

const said = (command: string, ...words: string[]) =>
  run(command, words).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

export async function rubyAndPhpDrivers(): Promise<Driver[]> {
  const omniauth = await said(ruby, '-e', rubyVersion);
  const openidConnectPhp = vendor ? await said(php, '-r', phpVersion) : '';
  return [
    ...(omniauth ? [omniauthOpenidConnect(omniauth)] : []),
    ...(openidConnectPhp ? [withOpenidConnectPhp(openidConnectPhp)] : []),
  ];
}

const omniauthOpenidConnect = (version: string): Driver => ({
  name: 'omniauth_openid_connect (Ruby)',
  version,
  isOfTheSystem: true,
  lines: '`pkce: true`, [as below](#omniauth)',
  signIn: asDocumented({
    command: ruby,
    program: 'ruby/omniauth_client.rb',
    callback: `${shop}/auth/tollgate/callback`,
    heading: 'OmniAuth',
    language: 'ruby',
    theLine: 'pkce: true,',
  }),
});

const withOpenidConnectPhp = (version: string): Driver => ({
  name: 'OpenID-Connect-PHP',
  version,
  isOfTheSystem: true,
  lines: "`setCodeChallengeMethod('S256')`, [as below](#openid-connect-php)",
  signIn: asDocumented({
    command: php,
    program: 'php/openid_connect_php_client.php',
    callback: `${shop}/callback`,
    heading: 'OpenID-Connect-PHP',
    language: 'php',
    theLine: "$client->setCodeChallengeMethod('S256');",
  }),
});
