// Statements of one moment on one connection, as one query of the driver with one Sync at its end. PostgreSQL sends what it
// has to say at each Sync, so a packet wakes this process once; with a Sync for each statement it would once for each.
import pg from 'pg';
import { TRANSACTION_ABORTED } from './sql-state.ts';

/** What the driver's own queries are told of the protocol, which its types leave out (test/database/packet.test.ts). */
export type Query = Omit<pg.Query, 'submit'> & {
  name?: string;
  text: string;
  queryMode?: 'extended';
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleEmptyQuery(connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: unknown, connection: pg.Connection): void;
};

export type Answer = (error: unknown, result: pg.QueryResult) => void;

export function createQuery(config: string | pg.QueryConfig, values: unknown[], answer: Answer): Query {
  const query: unknown = new pg.Query(config, values, answer as (error: Error | undefined) => void);
  if (!isQuery(query)) throw new TypeError('the queries of this version of pg are made otherwise');
  return query;
}

/**
 * They are executed in their order. After one that fails the server skips the rest, also a COMMIT: each of those hears
 * SQLSTATE 25P02, and whoever has begun a transaction rolls it back. Outside of one they are one transaction.
 */
export function packetOf(queries: Query[]): Query {
  /** Where the server stops: behind the last one, or at one whose values cannot be written down. */
  let end = queries.length;
  let executed = 0;
  const current = () => (executed < end ? queries[executed] : undefined);
  const settleExecuted = (connection: pg.Connection) => {
    for (const query of queries.slice(0, executed)) query.handleReadyForQuery(connection);
  };
  const handlers: Partial<Query> = {
    submit(connection) {
      connection.stream.cork();
      const unsendable = queries.findIndex((query) => !submitsOne(query, connection));
      connection.sync();
      connection.stream.uncork();
      if (unsendable === -1) return null;
      end = unsendable;
      for (const query of queries.slice(end + 1)) skip(query, connection);
      return null;
    },
    handleRowDescription: (message) => current()?.handleRowDescription(message),
    handleDataRow: (message) => current()?.handleDataRow(message),
    handleCommandComplete(message, connection) {
      current()?.handleCommandComplete(message, connection);
      executed += 1;
    },
    handleEmptyQuery(connection) {
      current()?.handleEmptyQuery(connection);
      executed += 1;
    },
    handleReadyForQuery: settleExecuted,
    handleError(error, connection) {
      settleExecuted(connection);
      current()?.handleError(error, connection);
      for (const query of queries.slice(executed + 1, end)) skip(query, connection);
    },
  };
  // The client notes under these what the server has prepared.
  const properties = { name: { get: () => current()?.name }, text: { get: () => current()?.text } };
  const packet = createQuery('', [], () => undefined);
  return Object.defineProperties(Object.assign(packet, handlers), properties);
}

function skip(query: Query, connection: pg.Connection): void {
  forget(connection, query, ['submittedNamedStatements']);
  const failure = Object.assign(new Error('a statement before this one has failed'), {
    code: TRANSACTION_ABORTED,
  });
  query.handleError(failure, connection);
}

/** @returns false when its values cannot be written down: it has heard so, and nothing after it may be executed. */
function submitsOne(query: Query, connection: pg.Connection): boolean {
  let isSent = true;
  const withoutSync: pg.Connection = Object.create(connection, {
    sync: { value: () => undefined },
    bind: {
      value(config: pg.BindConfig) {
        isSent = false;
        connection.bind(config, true);
        isSent = true;
      },
    },
  });
  // Only this protocol lets several statements share a Sync.
  query.queryMode = 'extended';
  const refusal = query.submit(withoutSync);
  if (refusal) query.handleError(refusal, connection);
  if (refusal || !isSent) forget(connection, query, ['submittedNamedStatements', 'parsedStatements']);
  return isSent && !refusal;
}

/** What the server has not prepared, or has closed, is to be parsed the next time. */
function forget(connection: pg.Connection, { name }: Query, notes: string[]): void {
  for (const note of notes) if (name) Reflect.deleteProperty(Reflect.get(connection, note) ?? {}, name);
}

const HANDLERS = [
  'handleRowDescription',
  'handleDataRow',
  'handleCommandComplete',
  'handleEmptyQuery',
  'handleReadyForQuery',
  'handleError',
];

function isQuery(query: unknown): query is Query {
  return (
    query instanceof pg.Query &&
    HANDLERS.every((handler) => typeof Reflect.get(query, handler) === 'function')
  );
}
