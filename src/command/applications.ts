// `tollgate application` and `tollgate customer`: what customers sign in to, from its creation to its end, and who they are.
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { logoBytes } from '../limits/pages.ts';
import { asks, collect, needs, within } from './ask.ts';

const WHICH = 'applicationId or Client ID';
const ORIGIN = 'further origin of a single-page application, beside those of its callbacks; repeatable';

export function addApplications(application: Command): void {
  addCreate(application);
  needs(
    within(
      asks(
        application.command('create-service'),
        'application create-service',
        'npx tollgate application create-service --name "Nightly export"',
      ),
    ).description('register a program that calls your APIs in its own name; no person signs in to it'),
    '--name <name>',
    'what members of the company see',
  );
  within(
    asks(application.command('list'), 'application list', 'npx tollgate application list --json'),
  ).description('list applications with their balances');
  one(application, 'show', 'show one application: addresses, balance, the ends of its secrets');
  one(application, 'update', 'change name, logo or addresses; what is not named stays')
    .option('--name <name>', 'service name, shown to customers')
    .option('--callback <url>', 'callback address, in place of all earlier ones; repeatable', collect)
    .option('--post-logout <url>', 'address after logout, in place of all earlier ones; repeatable', collect)
    .option('--origin <origin>', `${ORIGIN}; in place of all earlier ones`, collect)
    .option('--logo <file>', 'PNG, JPEG or WebP, at most 512 KiB', readLogo);
  one(application, 'go-live', 'leave test mode for good: sign-ins are charged from now on');
  one(application, 'logout', 'tell the application when a session ends (back-channel logout)')
    .option('--endpoint <url>', 'where logout tokens are sent: public, HTTPS')
    .option('--session', 'name the session: sid in ID Tokens and logout tokens')
    .option('--off', 'tell it nothing any more');
  one(application, 'devices', 'let customers sign in on devices by a code, or no longer', 'on').argument(
    '<state>',
    'on or off (docs/devices.md)',
  );
  one(
    application,
    'assurance',
    'choose how tokens are signed and what requests must be; what is not named stays',
  )
    .option('--algorithm <name>', 'tokens are signed with RS256, ES256 or EdDSA')
    .option('--authentication <method>', 'secret or private_key_jwt')
    .option('--key-set <file>', 'public keys of its backend: a JSON Web Key Set', readText)
    .option('--key-set-uri <url>', 'or where they are: public, HTTPS')
    .option('--pushed-requests <rule>', 'required or optional (RFC 9126)')
    .option('--signed-requests <rule>', 'required or optional (RFC 9101)')
    .option('--dpop <rule>', 'required or optional (RFC 9449)')
    .option('--fapi2 <switch>', 'on or off: the FAPI 2.0 security profile, with all that it demands');
  one(application, 'disable', 'take no sign-ins any more, and end what customers hold');
  one(application, 'enable', 'take sign-ins again');
  needs(
    one(application, 'delete', 'delete for good; its ledger, events and statements stay'),
    '--name <name>',
    'its name, as confirmation',
  );
  one(application, 'secret', 'make another Client Secret, shown once; the older ones go on working').option(
    '--overlap-seconds <seconds>',
    'end the older ones after this time; 0 after a leak',
  );
  one(application, 'rules', 'choose what sign-in requests must contain', 'compatible').argument(
    '<rules>',
    'strict: state, nonce and PKCE; compatible: for software that cannot (docs/decisions/0807)',
  );
}

export function addCustomers(customer: Command): void {
  asks(
    customer.command('list'),
    'customer list',
    'npx tollgate customer list client_0192… --email ada@example.com',
  )
    .description('list customers of an application, newest first')
    .argument('<application>', WHICH)
    .option('--email <address>', 'only whose address this is')
    .option('--limit <count>', 'how many; default 20');
}

function addCreate(application: Command): void {
  const create = within(
    asks(
      application.command('create'),
      'application create',
      'npx tollgate application create --name Shop --callback https://shop.example/callback',
    ),
  ).description('register an application; its Client Secret is shown once');
  needs(create, '--name <name>', 'service name, shown to customers');
  needs(create, '--callback <url>', 'callback address, compared exactly; repeatable', collect)
    .option('--post-logout <url>', 'address that logout may return to; repeatable', collect)
    .option('--origin <origin>', ORIGIN, collect)
    .option('--test', 'in test mode: sign-ins are free, for at most 100 customers, until `go-live`')
    .option('--public', 'a public client (single-page application): PKCE and no secret')
    .option('--logo <file>', 'PNG, JPEG or WebP, at most 512 KiB', readLogo);
}

function one(application: Command, verb: string, description: string, more = ''): Command {
  const line = `npx tollgate application ${verb} client_0192… ${more}`.trimEnd();
  return asks(application.command(verb), `application ${verb}`, line)
    .description(description)
    .argument('<application>', WHICH);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It cannot be read.');
  }
}

function readLogo(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.byteLength <= logoBytes) return bytes.toString('base64');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It cannot be read.');
  }
  throw new InvalidArgumentError(`It is larger than ${logoBytes / 1024} KiB.`);
}
