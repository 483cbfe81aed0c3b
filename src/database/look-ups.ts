// Look-ups of every kind that are asked at one moment share one connection and one packet: each wakes the server, and
// each answer this process, which costs more than the look-up itself. They are single statements outside of any
// transaction, and each has its own answer or error.
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { lookUpBatches } from '../limits/stores.ts';
import { createBatcher, type Outcome } from './batch.ts';
import { lend, type PostgresDatabase } from './transaction.ts';

type Statement = { config: pg.QueryConfig; values: unknown[] };

/** For reading; a transaction would begin on another connection. */
export function lookUpsOn(pool: pg.Pool): PostgresDatabase {
  const ask = createBatcher<Statement, pg.QueryResult>({
    run: (statements) =>
      lend(pool, async (client, judge) => {
        const answers = await answersOf(client, statements);
        for (const answer of answers) if ('error' in answer) judge(answer.error);
        return answers;
      }),
    ...lookUpBatches,
  });
  const query = (config: pg.QueryConfig, values: unknown[]) => ask({ config, values });
  return drizzle(Object.assign(Object.create(pool), { query }));
}

async function answersOf(client: pg.PoolClient, statements: Statement[]): Promise<Outcome<pg.QueryResult>[]> {
  const answers = await Promise.allSettled(
    statements.map(({ config, values }) => client.query(config, values)),
  );
  return answers.map((answer) =>
    answer.status === 'fulfilled' ? { value: answer.value } : { error: answer.reason },
  );
}
