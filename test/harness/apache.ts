// A real Apache with mod_auth_openidc in a folder of its own: TLS on loopback, one public page and one behind the module.
// Skipped where it is not installed (Debian's places are known), required where CI is set.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../src/command/local-certificate.ts';
import { findProgram, isRoot, runProgram } from '../servers/program.ts';
import { listensAt } from '../servers/server.ts';
import { until } from './until.ts';

/** Debian's; its dependencies bring Apache itself, and no service. */
export const apachePackage = 'libapache2-mod-auth-openidc';
const DEBIAN_MODULES = '/usr/lib/apache2/modules';
const modules = {
  mpm_event_module: 'mod_mpm_event.so',
  ssl_module: 'mod_ssl.so',
  authn_core_module: 'mod_authn_core.so',
  authz_core_module: 'mod_authz_core.so',
  authz_user_module: 'mod_authz_user.so',
  headers_module: 'mod_headers.so',
  include_module: 'mod_include.so',
  auth_openidc_module: 'mod_auth_openidc.so',
};

/** Of the module; undefined: this machine cannot run it. */
export async function apacheVersion(): Promise<string | undefined> {
  const query = await findProgram('dpkg-query');
  if (query === undefined || !(await findProgram('apache2'))) return undefined;
  const said = await runProgram(query, ['--status', apachePackage]).catch(() => '');
  const isInstalled = /^Status: .* installed$/m.test(said);
  const [, version] = /^Version: ([\d.]+)/m.exec(said) ?? [];
  return isInstalled ? version : undefined;
}

/** The same. @throws where CI is set and there is none. */
export async function findApache(): Promise<string | undefined> {
  const version = await apacheVersion();
  if (version === undefined && process.env.CI)
    throw new Error(`Apache with mod_auth_openidc (${apachePackage}) is required where CI is set`);
  return version;
}

export type Apache = {
  /** What the module and Apache logged. */
  log(): Promise<string>;
  stop(): Promise<void>;
};

/** @param lines are the module's own. They protect `/members/account`, which says as JSON whom they let in. */
export async function startApache(
  lines: string,
  { port, certificate }: { port: number; certificate: Certificate },
): Promise<Apache> {
  const program = await findProgram('apache2');
  if (program === undefined) throw new Error('apache2 is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-apache-'));
  await writePages(folder);
  await writeFile(join(folder, 'key.pem'), certificate.key, { mode: 0o600 });
  await writeFile(join(folder, 'cert.pem'), certificate.cert);
  await writeFile(join(folder, 'apache.conf'), configuration(folder, port, lines), { mode: 0o600 });

  const child = spawn(program, ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const log = async () => said + (await readFile(join(folder, 'error.log'), 'utf8').catch(() => ''));
  const apache: Apache = {
    log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
  try {
    await until('Apache listens', async () => {
      if (child.exitCode !== null) throw new Error(`Apache does not start: ${await log()}`);
      return listensAt({ host: '127.0.0.1', port });
    });
  } catch (error) {
    await apache.stop();
    throw error;
  }
  return apache;
}

/** Started by root, it reads them as somebody who may enter no other temporary folder. */
async function writePages(folder: string): Promise<void> {
  await mkdir(join(folder, 'run'));
  await mkdir(join(folder, 'pages/members'), { recursive: true });
  await writeFile(join(folder, 'pages/goodbye'), 'Goodbye');
  await writeFile(
    join(folder, 'pages/members/account'),
    JSON.stringify({
      email: variable('OIDC_CLAIM_email'),
      sub: variable('OIDC_CLAIM_sub'),
      user: variable('REMOTE_USER'),
    }),
  );
  await chmod(folder, 0o711);
}

/** What mod_include puts in its place. */
const variable = (name: string) => `<!--#echo var='${name}' -->`;

const configuration = (folder: string, port: number, lines: string) => `
ServerRoot "${folder}"
DefaultRuntimeDir "${folder}/run"
PidFile "${folder}/run/apache.pid"
ErrorLog "${folder}/error.log"
ServerName localhost
Listen 127.0.0.1:${port}
${Object.entries(modules)
  .map(([name, file]) => `LoadModule ${name} ${DEBIAN_MODULES}/${file}`)
  .join('\n')}
${isRoot ? 'User www-data\nGroup www-data' : ''}
StartServers 1
SSLEngine on
SSLCertificateFile "${folder}/cert.pem"
SSLCertificateKeyFile "${folder}/key.pem"
DocumentRoot "${folder}/pages"
<Directory "${folder}/pages">
  AllowOverride None
  Options Includes
  SetOutputFilter INCLUDES
  # What an application behind ProxyPass would hear.
  Header set heard-email "expr=%{req:OIDC_CLAIM_email}"
  Require all granted
</Directory>
${lines}`;
