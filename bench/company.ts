// A database of the bench's own, with one company: applications with a large balance, people who agreed to them, and
// if wanted a webhook subscription.
import pg from 'pg';
import { accounts } from '../drizzle/schema/accounts.ts';
import { consents } from '../drizzle/schema/customers.ts';
import { webhookSubscriptions } from '../drizzle/schema/webhooks.ts';
import { createApplication } from '../src/applications/application.ts';
import { createWorkspace } from '../src/applications/workspace.ts';
import { type Connection, openDatabase, transaction } from '../src/database/connection.ts';
import { migrate } from '../src/database/migrate.ts';
import { newId } from '../src/id.ts';
import { topUp } from '../src/ledger/balance.ts';
import type { Keys } from '../src/secrets.ts';
import { loadKeys } from '../src/service/pairwise-key.ts';
import { createSubscription } from '../src/webhooks/subscription.ts';
import type { Application } from './sign-in.ts';

export const SECRET = 'a secret of the bench which protects nothing at all';
export const POSTGRES_URL = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const REDIS_URL = process.env.BENCH_REDIS_URL ?? 'redis://127.0.0.1:6379';

export type BenchApplication = Application & { id: string };
export type Company = {
  workspaceId: string;
  applications: BenchApplication[];
  accountIds: string[];
};
export type BenchDatabase = {
  url: string;
  connection: Connection;
  keys: Keys;
  remove(): Promise<void>;
};

export async function createBenchDatabase(): Promise<BenchDatabase> {
  const name = `tollgate_bench_${process.pid}_${Date.now()}`;
  await administer(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  const connection = await openDatabase({ databaseUrl: url.href });
  await migrate(connection);
  return {
    url: url.href,
    connection,
    keys: await loadKeys(connection.db, SECRET, new Date()),
    async remove() {
      await connection.close();
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const USUAL_PRICES = { registrationPrice: 50_000n, signInPrice: 20_000n };

export async function createCompany(
  { connection: { db } }: BenchDatabase,
  size: { applications: number; people: number },
  { prices = USUAL_PRICES, balance = 10n ** 15n }: { prices?: typeof USUAL_PRICES; balance?: bigint } = {},
): Promise<Company> {
  const now = new Date();
  return transaction(db, async (tx) => {
    const workspace = await createWorkspace(tx, { name: 'Bench', currency: 'EUR', ...prices, now });
    const applications: BenchApplication[] = [];
    while (applications.length < size.applications) {
      const redirectUri = 'https://app.example.test/callback';
      const { application, clientSecret = '' } = await createApplication(tx, {
        workspaceId: workspace.id,
        name: 'Shop',
        clientType: 'confidential',
        redirectUris: [redirectUri],
        now,
      });
      const { id, clientId } = application;
      await topUp(tx, { applicationId: id, amount: balance, reference: id, now });
      applications.push({ id, clientId, clientSecret, redirectUri });
    }
    const accountIds = Array.from({ length: size.people }, () => newId('acc'));
    await tx.insert(accounts).values(
      accountIds.map((id) => ({
        id,
        email: `${id}@example.test`,
        emailVerified: true,
        name: 'Ada Lovelace',
        locale: 'en',
        createdAt: now,
        updatedAt: now,
      })),
    );
    for (const { id } of applications) {
      await tx.insert(consents).values(
        accountIds.map((accountId) => ({
          applicationId: id,
          accountId,
          scopes: ['email', 'openid', 'profile'],
          grantedAt: now,
        })),
      );
    }
    return { workspaceId: workspace.id, applications, accountIds };
  });
}

/** One subscription to everything the workspace's applications do. @returns its id */
export async function subscribe(
  { connection: { db }, keys }: BenchDatabase,
  workspaceId: string,
  url: string,
): Promise<string> {
  const { id } = await createSubscription(db, {
    keys,
    workspaceId,
    url,
    allowLoopback: true,
    now: new Date(),
  });
  return id;
}

export async function unsubscribeAll({ connection: { db } }: BenchDatabase): Promise<void> {
  await db.update(webhookSubscriptions).set({ status: 'disabled' });
}
