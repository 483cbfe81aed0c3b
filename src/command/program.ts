// The commands of `tollgate` (commander): what they are called, what they take, what they show. Each names an
// operation of src/operator/operator.ts; how the database is reached is decided in src/command/operator.ts.
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/config.ts';
import { logoBytes } from '../limits/protocol.ts';
import { readEnvironment } from '../service/environment.ts';
import { asks, example, within } from './ask.ts';
import { addDataCommands } from './data.ts';
import { migrateStores } from './operator.ts';
import { showAnswer, showError, showReport } from './output.ts';
import { addAccounts, addMembers, addPeople } from './people.ts';
import { addWebhooks } from './webhooks.ts';

/** Everything below exits with 0 or says in one sentence on stderr why not and exits with 1. */
export async function runCommandLine(argv: string[]): Promise<void> {
  // Whatever a command writes (database, secret, socket) is for this user alone.
  process.umask(0o077);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', overlookClosedPipe);
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    showError(error);
    // At once: a start that failed half-way may have left timers and connections that would keep it alive.
    process.exit(1);
  }
}

/** `tollgate … | head`: whoever read has seen enough, and the command itself goes on to its end. */
function overlookClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function createProgram(): Command {
  const program = new Command('tollgate')
    .description('A hosted OpenID Connect identity provider that charges per sign-in.')
    .version(version())
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tollgate: ')) })
    .addHelpText('after', '\nSettings come from the environment and from a file .env; see .env.example.');
  program
    .command('start')
    .description('run the service (migrates the database first)')
    .addHelpText('after', example('PORT=4000 npx tollgate start'))
    .action(async () => {
      // Loaded only here: it is the whole service.
      const { runStart } = await import('./start.ts');
      await runStart();
    });
  program
    .command('migrate')
    .description('migrate the database to this release, then exit')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', example('DATABASE_URL=postgres://… npx tollgate migrate'))
    .action(async (options: { json?: true }) => {
      showAnswer(await migrateStores(readConfig(readEnvironment())), options);
    });
  addDataCommands(program, showAnswer);
  program
    .command('doctor')
    .description('check settings, public address, proxies, databases, email and keys')
    .option('--json', 'print the findings as JSON, for scripts')
    .option('--not-started', 'skip checks that need a running service')
    .addHelpText('after', example('npx tollgate doctor'))
    .action(async (options: { json?: true; notStarted?: true }) => {
      const { runDoctor } = await import('./doctor.ts');
      await runDoctor(options);
    });
  addWorkspaces(program.command('workspace').description('companies, which own everything else'));
  addMembers(program.command('member').description("people who work in a company's settings"));
  addApplications(program.command('application').description('applications that customers sign in to'));
  addMoney(program);
  addApiKeys(program.command('api-key').description('keys of the customer-data API'));
  addWebhooks(program.command('webhook').description('endpoints that receive registrations and sign-ins'));
  addPeople(program.command('account').description('people, by email address or account ID'));
  addAccounts(program.command('accounts').description('all accounts'));
  asks(
    program.command('work').description('long-running work').command('list'),
    'work list',
    'npx tollgate work list',
  ).description('list long-running work and its progress');
  addKeys(program.command('keys').description('keys that sign ID Tokens or seal what is stored'));
  return program;
}

function addKeys(keys: Command): void {
  asks(keys.command('list'), 'keys list', 'npx tollgate keys list').description(
    'list the published signing keys, newest first',
  );
  asks(keys.command('rotate'), 'keys rotate', 'npx tollgate keys rotate')
    .description('announce a new signing key, which takes over in a day (by itself: every 90 days)')
    .option('--now', 'after a leak: the new key signs immediately and all others are removed');
  asks(keys.command('reseal'), 'keys reseal', 'npx tollgate keys reseal').description(
    're-encrypt everything with the first TOLLGATE_SECRET, so you can remove the older ones',
  );
}

function addWorkspaces(workspace: Command): void {
  asks(workspace.command('create'), 'workspace create', 'npx tollgate workspace create --name "ACME"')
    .description('create a company with its currency and prices')
    .requiredOption('--name <name>', 'name of the company')
    .option('--currency <code>', 'ISO 4217 code; default CURRENCY')
    .option('--registration-price <amount>', 'price of a first session; default REGISTRATION_PRICE')
    .option('--sign-in-price <amount>', 'price of a later session; default SIGN_IN_PRICE');
  asks(workspace.command('list'), 'workspace list', 'npx tollgate workspace list').description(
    'list the companies, oldest first; the first is the default of --workspace',
  );
}

function addApplications(application: Command): void {
  within(
    asks(
      application.command('create'),
      'application create',
      'npx tollgate application create --name Shop --callback https://shop.example/callback',
    ),
  )
    .description('register an application; its Client Secret is shown once')
    .requiredOption('--name <name>', 'service name, shown to customers')
    .requiredOption('--callback <url>', 'callback address, compared exactly; repeatable', collect)
    .option('--post-logout <url>', 'address that logout may return to; repeatable', collect)
    .option('--origin <origin>', 'origin of a single-page application; repeatable', collect)
    .option('--public', 'a public client (single-page application): PKCE and no secret')
    .option('--logo <file>', 'PNG, JPEG or WebP, at most 512 KiB', readLogo);
  within(
    asks(application.command('list'), 'application list', 'npx tollgate application list --json'),
  ).description('list applications with their balances');
  asks(
    application.command('rules'),
    'application rules',
    'npx tollgate application rules client_0192… compatible',
  )
    .description('choose what sign-in requests must contain; recorded in the company’s audit log')
    .argument('<application>', 'applicationId or Client ID')
    .argument(
      '<rules>',
      'strict: state, nonce and PKCE; compatible: for software that cannot (docs/decisions/0807)',
    );
}

function addMoney(program: Command): void {
  asks(
    program.command('credit'),
    'credit',
    'npx tollgate credit client_0192… 25.00 --reference invoice-2026-117',
  )
    .description('top up the OAuth balance of an application, once per reference')
    .argument('<application>', 'applicationId or Client ID')
    .argument('<amount>', "in the workspace's currency, at most six decimals")
    .requiredOption('--reference <text>', "the payment's own name; the same one is never credited twice")
    .option('--reason <text>', 'kept with the transfer');
  asks(
    program.command('correct'),
    'correct',
    'npx tollgate correct --application client_0192… --amount -5.00 --reason "Credited twice by hand"',
  )
    .description('correct an application’s balance with a separate entry; never below zero')
    .requiredOption('--application <id>', 'applicationId or Client ID')
    .requiredOption('--amount <amount>', 'amount to add, or with a minus sign to remove')
    .requiredOption('--reason <text>', 'shown to the company on its statement')
    .option('--reference <text>', 'a name of your own; the same one never corrects twice');
  asks(program.command('refund'), 'refund', 'npx tollgate refund evt_0192… --reason "Outage on Monday"')
    .description('refund the price of one event, once')
    .argument('<event>', 'id of the registration or sign-in')
    .requiredOption('--reason <text>', 'shown to the company on its statement');
  asks(
    program.command('ledger').description('the ledger').command('verify'),
    'ledger verify',
    'npx tollgate ledger verify',
    (answer) => showReport('the ledger does not add up.', answer),
  ).description('check that balances, transfers and usage events agree');
}

function addApiKeys(apiKey: Command): void {
  within(asks(apiKey.command('create'), 'api-key create', 'npx tollgate api-key create --name reporting'))
    .description('create a key with scope identity:read; it is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'RFC 3339 time; default never');
  within(asks(apiKey.command('list'), 'api-key list', 'npx tollgate api-key list')).description(
    'list keys by their first characters',
  );
  within(
    asks(
      apiKey.command('rotate'),
      'api-key rotate',
      'npx tollgate api-key rotate key_0192… --overlap-seconds 3600',
    ),
  )
    .description('replace a key; the new one is shown once')
    .argument('<id>', 'id of the key')
    .option('--overlap-seconds <seconds>', 'how long the old one still works', '0');
  within(asks(apiKey.command('revoke'), 'api-key revoke', 'npx tollgate api-key revoke key_0192…'))
    .description('end a key at once')
    .argument('<id>', 'id of the key');
}

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
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

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(import.meta.resolve('#root/package.json')), 'utf8'),
  );
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known ? String(manifest.version) : 'unknown';
}
