// The machinery for speed, piece by piece, and what stands there without it: the plain code that anybody would write
// first. Each is a few words of the compiled service, exchanged while it is loaded (exchange.ts), so that the service
// itself has no switch that only a measurement uses.

/** In one compiled module, `text` stands exactly once. */
export type Exchange = { module: string; text: string; instead: string };

export type Piece = { name: string; without: string; exchanges: Exchange[] };

const LOOK_UP_CONNECTIONS = {
  module: 'limits/stores.js',
  text: 'postgresLookUpConnections = lookUpBatches.lanes',
  instead: 'postgresLookUpConnections = 10',
};

const readBatches = (instead: string): Exchange => ({
  module: 'limits/stores.js',
  text: 'readBatches = { size: 64, lanes: 3, few: 3 }',
  instead: `readBatches = ${instead}`,
});

const lookUpBatches = (instead: string): Exchange => ({
  module: 'limits/stores.js',
  text: 'lookUpBatches = { size: 32, lanes: 3, few: 15 }',
  instead: `lookUpBatches = ${instead}`,
});

const LANES: Piece = {
  name: 'lanes',
  without: 'batches of look-ups one after the other, never side by side',
  exchanges: [lookUpBatches('{ size: 32, lanes: 1 }'), readBatches('{ size: 64, lanes: 1 }')],
};

const KEYS_TOGETHER: Piece = {
  name: 'keys-together',
  without: 'a statement for each key that is looked up, instead of one for all keys of a moment',
  exchanges: [readBatches('{ size: 1, lanes: 1000 }')],
};

const LOOK_UPS_TOGETHER: Piece = {
  name: 'look-ups-together',
  without:
    'each look-up on whichever of ten connections is free, instead of one packet for those of a moment',
  exchanges: [
    LOOK_UP_CONNECTIONS,
    {
      module: 'database/connection.js',
      text: 'lookUps: lookUpsOn(lookUps)',
      instead: 'lookUps: drizzleOnPool(lookUps)',
    },
  ],
};

const ASKED_AHEAD: Piece = {
  name: 'asked-ahead',
  without: 'nothing is looked up before the engine asks for it',
  exchanges: [
    {
      module: 'oidc/look-ahead.js',
      text: 'function begin(ctx) {',
      instead: 'function begin(ctx) { return undefined;',
    },
  ],
};

const CORK: Piece = {
  name: 'cork',
  without: 'each statement leaves in a packet of its own',
  exchanges: [
    {
      module: 'database/statements.js',
      text: 'const gather = socket && gatherOn(socket);',
      instead: 'const gather = undefined;',
    },
  ],
};

const PIPELINE: Piece = {
  name: 'pipeline',
  without: 'each statement of a connection waits for the answer of the one before it',
  exchanges: [{ module: 'database/pool.js', text: 'pipeline: true', instead: 'pipeline: false' }],
};

const CHARGE_IN_TWO_TRIPS: Piece = {
  name: 'charge-in-two-trips',
  without: 'a charge is an ordinary transaction: BEGIN, look-ups, writes and COMMIT one by one',
  exchanges: [
    {
      module: 'database/pipelined-transaction.js',
      text: 'return onPool(connection.charges);',
      instead: `return async ({ read, write, meanwhile, lockMilliseconds }) => {
        await meanwhile?.();
        return repeatWhenAsked(() => chargesOf(connection).transaction(async (tx) => {
          if (lockMilliseconds) await tx.execute(\`set local lock_timeout = \${Math.ceil(lockMilliseconds)}\`);
          const { statements, result } = write(await read(tx));
          for (const statement of statements) await tx.execute(statement);
          return result;
        }));
      };`,
    },
  ],
};

const CHARGES_TOGETHER: Piece = {
  name: 'charges-together',
  without: 'a transaction for each session, six at once, instead of one for up to 64 sessions',
  exchanges: [
    { module: 'limits/charges.js', text: 'sessionsPerCharge = 64', instead: 'sessionsPerCharge = 1' },
    { module: 'limits/charges.js', text: 'chargeBatches = 1;', instead: 'chargeBatches = 6;' },
  ],
};

const THREE_POOLS: Piece = {
  name: 'three-pools',
  without: 'charges and look-ups share one pool with all other work; it has as many connections as all three',
  exchanges: [
    {
      module: 'database/connection.js',
      text: 'connections: postgresConnections }',
      instead: 'connections: postgresConnections + postgresChargeConnections + postgresLookUpConnections }',
    },
    {
      module: 'database/connection.js',
      text: 'const charges = createPostgresPool({ ...common, connections: postgresChargeConnections });',
      instead: 'const charges = pool;',
    },
    {
      module: 'database/connection.js',
      text: 'const lookUps = createPostgresPool({ ...common, connections: postgresLookUpConnections });',
      instead: 'const lookUps = pool;',
    },
    {
      module: 'database/connection.js',
      text: 'const pools = [pool, charges, lookUps, reads, probe];',
      instead: 'const pools = [pool, reads, probe];',
    },
  ],
};

const STATEMENT_NAMES: Piece = {
  name: 'statement-names',
  without: 'PostgreSQL parses and plans every statement anew',
  exchanges: [
    {
      module: 'database/statements.js',
      text: 'named(config, values, nameOf), values',
      instead: 'config, values',
    },
  ],
};

const COOKIE_SIGNER: Piece = {
  name: 'cookie-signer',
  without: "cookies are signed and checked by the engine's Keygrip",
  exchanges: [
    {
      module: 'oidc/cookies.js',
      text: 'keys: cookieSigner(options.keys.cookies)',
      instead: 'keys: options.keys.cookies',
    },
  ],
};

/** Decision 304 as a whole: the service with a plain pool and nothing in front of it. */
const ALL_OF_IT: Piece = {
  name: 'pipelining',
  without: 'all of it: one pool, each statement by itself, each charge an ordinary transaction',
  exchanges: [
    ...KEYS_TOGETHER.exchanges,
    ...CORK.exchanges,
    ...PIPELINE.exchanges,
    ...CHARGE_IN_TWO_TRIPS.exchanges,
    ...THREE_POOLS.exchanges,
    ...LOOK_UPS_TOGETHER.exchanges.filter(({ module }) => module === 'database/connection.js'),
  ],
};

export const PIECES: Piece[] = [
  LANES,
  KEYS_TOGETHER,
  LOOK_UPS_TOGETHER,
  ASKED_AHEAD,
  CORK,
  PIPELINE,
  CHARGE_IN_TWO_TRIPS,
  CHARGES_TOGETHER,
  THREE_POOLS,
  ALL_OF_IT,
  STATEMENT_NAMES,
  COOKIE_SIGNER,
];

/** Not of a sign-in: what runs the mails. It is measured by mails a second. */
export const JOB_POOL: Piece = {
  name: 'job-pool',
  without: "mails are run by pg-boss's own workers (localConcurrency) instead of src/queue/job-pool.ts",
  exchanges: [
    {
      module: 'queue/jobs.js',
      text: 'async work(queue, handler) {',
      instead: `async work(queue, handler) {
            const options = { localConcurrency: concurrency[queue], pollingIntervalSeconds: 0.5, burstWhenReadyExceeds: 1 };
            const worker = await boss.work(queue, options, async ([job]) => handler(job.data));
            return onNotified(queue, () => boss.notifyWorker(worker));`,
    },
  ],
};
