// Connections to PostgreSQL that may break at any moment: a broken one fails what was under way on
// it, leaves the pool, and never ends the process; one whose peer has vanished is given up instead of waited for.
import { Socket } from 'node:net';
import pg from 'pg';
import {
  postgresConnectMilliseconds,
  postgresLockMilliseconds,
  postgresSilenceMilliseconds,
  postgresStatementMilliseconds,
} from '../limits/stores.ts';
import { isDemotion } from './sql-state.ts';
import { createStatementNames, improveQueries } from './statements.ts';

export type PoolOptions = {
  databaseUrl: string;
  /** At most. */
  connections: number;
  /** Also while nobody uses them: a connection that is there needs no free one on a full server. */
  keepIdle?: true;
  onError: (error: Error) => void;
};

/** A transaction under this name may take its time; the server tells the client when the name changes. */
export const LONG_WORK = 'tollgate long work';

export function createPostgresPool(options: PoolOptions): pg.Pool {
  const { databaseUrl, connections, keepIdle, onError } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    ...(keepIdle && { idleTimeoutMillis: 0 }),
    // What a caller sends at once (settle-all.ts) does not wait for the answers of what stands before it.
    pipeline: true,
    connectionTimeoutMillis: postgresConnectMilliseconds,
    statement_timeout: postgresStatementMilliseconds,
    lock_timeout: postgresLockMilliseconds,
    idle_in_transaction_session_timeout: postgresStatementMilliseconds,
    keepAlive: true,
    options: '-c timezone=UTC',
    application_name: 'tollgate',
  });
  const nameOf = createStatementNames();
  // An idle connection that breaks must not end the process; the next query opens another one.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // The same for one that breaks between two statements of a transaction: the next one says so to its caller.
    client.on('error', onError);
    giveUpOnSilence(client);
    improveQueries(client, { nameOf, socket: socketOf(client) });
  });
  pool.on('acquire', (client) => expectAnswers(client, true));
  pool.on('release', (error, client) => {
    expectAnswers(client, false);
    // After a failover the same address leads to the new primary, but only for new connections.
    if (isDemotion(error)) closeIdle(pool).catch(onError);
  });
  return pool;
}

async function closeIdle(pool: pg.Pool): Promise<void> {
  const idle = Array.from({ length: pool.idleCount }, () => pool.connect());
  for (const client of await Promise.all(idle)) client.release(true);
}

/**
 * The server ends every statement after five seconds, so a connection in use that is silent for longer has no server
 * behind it. TCP alone would find out after a quarter of an hour, with every place of the pool taken.
 */
function giveUpOnSilence(client: pg.PoolClient): void {
  const connection = connectionOf(client);
  const socket = socketOf(client);
  socket?.on('timeout', () => socket.destroy(new Error('Connection terminated: PostgreSQL does not answer')));
  connection?.on('parameterStatus', (status: unknown) => {
    if (isStatus(status) && status.parameterName === 'application_name')
      expectAnswers(client, status.parameterValue !== LONG_WORK);
  });
}

function expectAnswers(client: pg.PoolClient, expected: boolean): void {
  socketOf(client)?.setTimeout(expected ? postgresSilenceMilliseconds : 0);
}

function isStatus(status: unknown): status is { parameterName: string; parameterValue: string } {
  return (
    typeof status === 'object' && status !== null && 'parameterName' in status && 'parameterValue' in status
  );
}

function connectionOf(client: pg.PoolClient): pg.Connection | undefined {
  return 'connection' in client && client.connection instanceof pg.Connection ? client.connection : undefined;
}

function socketOf(client: pg.PoolClient): Socket | undefined {
  const stream = connectionOf(client)?.stream;
  return stream instanceof Socket ? stream : undefined;
}
