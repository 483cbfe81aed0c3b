// The commands of `tollgate` (commander): what they are called, what they take, what they show. Each names an
// operation of src/operator/operator.ts; how the database is reached is decided in src/command/operator.ts.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../service/environment.ts';
import { addApis } from './apis.ts';
import { addApplications, addCustomers } from './applications.ts';
import { asks, example, usageOf } from './ask.ts';
import { addApiKeys, addWorkspaces } from './companies.ts';
import { addCompletion } from './completion.ts';
import { addDataCommands } from './data.ts';
import { addLocal } from './local.ts';
import { addMoney } from './money.ts';
import { migrateStores } from './operator.ts';
import { showAnswer, showError } from './output.ts';
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
    .configureHelp({ commandUsage: usageOf })
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
  addLocal(program);
  addCompletion(program);
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
  addCustomers(program.command('customer').description('people who signed in to an application'));
  addApiKeys(program.command('api-key').description('keys of the customer-data API'));
  addApis(program.command('api').description('your own APIs, which access tokens can be for'));
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
    .description('announce new signing keys, which take over in a day (by themselves: every 90 days)')
    .option('--algorithm <name>', 'of one algorithm alone: RS256, ES256 or EdDSA')
    .option('--now', 'after a leak: the new keys sign immediately and all others are removed');
  asks(keys.command('reseal'), 'keys reseal', 'npx tollgate keys reseal').description(
    're-encrypt everything with the first TOLLGATE_SECRET, so you can remove the older ones',
  );
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(import.meta.resolve('#root/package.json')), 'utf8'),
  );
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known ? String(manifest.version) : 'unknown';
}
