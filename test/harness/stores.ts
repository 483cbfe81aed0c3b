// On which stores the tests run: every file on the embedded database and again on PostgreSQL and Redis.
// jest.config.js makes a project of each; the files below are in the first project only.

const noStore = 'opens no store';
const bothItself = 'runs each of its cases on PGlite and on PostgreSQL itself';
const ownProcesses = 'starts processes on stores that it names itself, both kinds where the kind matters';
const ownServers = 'takes PostgreSQL or Redis away, and so brings its own';

/**
 * Files that a second time would prove nothing new about, with the reason. Nobody has to believe the list: a file in
 * it that asks for the stores of its project fails (`chosenStores`).
 */
export const runOnce: Record<string, string> = {
  'accounts/email-address.test.ts': noStore,
  'accounts/flow.test.ts': bothItself,
  'accounts/authority.test.ts': bothItself,
  'accounts/one-time-code.test.ts': bothItself,
  'accounts/password.test.ts': noStore,
  'accounts/proof.test.ts': bothItself,
  'accounts/session.test.ts': bothItself,
  'accounts/sign-in.test.ts': bothItself,
  'oidc/adapter-contract.test.ts': `${bothItself}, with Redis and without`,
  'oidc/adapter-revocation.test.ts': `${bothItself}, with Redis and without`,
  'oidc/user-codes.test.ts': `${bothItself}, with Redis and without`,
  'architecture.test.ts': noStore,
  'database/asked-ahead.test.ts': noStore,
  'database/batch.test.ts': noStore,
  'database/database-copy.test.ts': ownProcesses,
  'database/embedded-vacuum.test.ts': 'is about the embedded database',
  'operations/environment.test.ts': noStore,
  'operations/first-start.test.ts': 'is about the embedded database: a start with no settings at all',
  'ledger/properties.test.ts': bothItself,
  'ledger/ledger.test.ts': bothItself,
  'documentation/commands.test.ts': noStore,
  'documentation/figures.test.ts': noStore,
  'ground/id.test.ts': noStore,
  'ground/programs.test.ts': noStore,
  'ground/references.test.ts': noStore,
  'ground/pressure.test.ts': noStore,
  'ground/waits.test.ts': noStore,
  'harness/properties.test.ts': noStore,
  'harness/until.test.ts': noStore,
  'identity/fail-over.test.ts': ownServers,
  'database/migration-rules.test.ts': noStore,
  'neighbours/bench.test.ts': ownProcesses,
  'neighbours/statements.test.ts': noStore,
  'neighbours/two-processes.test.ts': ownProcesses,
  'neighbours/event-order.test.ts': bothItself,
  'neighbours/statement-seals.test.ts': bothItself,
  'neighbours/half-open.test.ts': bothItself,
  'operations/deployment.test.ts': noStore,
  'operations/doctor.test.ts': ownProcesses,
  'operations/rolling.test.ts': ownProcesses,
  'operations/shutdown.test.ts': noStore,
  'outage/postgres.test.ts': ownServers,
  'outage/start.test.ts': ownServers,
  'hosted-pages/arrival.test.ts': 'is about looks and words, on the embedded database',
  'oidc/refusal-reasons.test.ts': noStore,
  'oidc/waits.test.ts': 'is about PostgreSQL and Redis, which it stands in front of itself',
  'outage/redis-limits.test.ts': ownServers,
  'outage/redis-tls.test.ts': ownProcesses,
  'outage/redis-two-processes.test.ts': ownServers,
  'oidc/revocation-order.test.ts': 'is about several connections, which only PostgreSQL has',
  'spec/command-line.test.ts': ownProcesses,
  'spec/command-help.test.ts': ownProcesses,
  'spec/command-data.test.ts': ownProcesses,
  'spec/paging.test.ts': bothItself,
  'operations/servers.test.ts': 'starts servers of its own, as the command does',
  'operations/start-up.test.ts': ownProcesses,
  'operations/local-https.test.ts': noStore,
  'operations/start-problems.test.ts': ownProcesses,
  'hosted-pages/step-up.test.ts': noStore,
  'harness/stores.test.ts': 'is about this list',
  'walk/walk.test.ts': ownProcesses,
  'webhooks/documentation.test.ts': noStore,
};

/**
 * The usual run has fifteen minutes on two cores, and every file twice takes more. So the usual run has every file on
 * PostgreSQL and Redis and these on the embedded database as well: what decides about money, tokens, codes and
 * deliveries. `STORES=both npm test` runs everything on both.
 */
const alwaysOnBoth = [
  'oidc/code-lifecycle-properties.test.ts',
  'outage/crash-points.test.ts',
  'ledger/money.test.ts',
  'ledger/payments.test.ts',
  'spec/charging.test.ts',
  'spec/states.test.ts',
  'spec/refresh-tokens.test.ts',
  'spec/authorization.test.ts',
  'spec/customer-data.test.ts',
  'spec/authentication.test.ts',
  'spec/events.test.ts',
  'test-mode/test-mode.test.ts',
  'webhooks/delivery.test.ts',
  'webhooks/subscriptions.test.ts',
  'webhooks/deletion.test.ts',
];

/** The files of the project `embedded`; undefined: all of them. */
export function embeddedFiles({ both }: { both: boolean }): string[] | undefined {
  return both ? undefined : [...Object.keys(runOnce), ...alwaysOnBoth];
}

/** Where `chosenStores` finds the project's name: test/harness/on-*.ts set it before each file. */
export const STORES_VARIABLE = 'TEST_STORES';

/** @throws in a file of the list above. */
export function chosenStores(): 'embedded' | 'servers' {
  const chosen = process.env[STORES_VARIABLE];
  if (chosen === 'none') throw new Error('this file uses the stores of its project: take it off the list');
  return chosen === 'servers' ? 'servers' : 'embedded';
}
