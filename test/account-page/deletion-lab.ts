// People with something in every table that an account can have rows in, and what is left of them anywhere.
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { accounts, emailChanges, passkeys } from '../../drizzle/schema/accounts.ts';
import { opensNothing, type Place, recordProof } from '../../src/accounts/proof.ts';
import { linkSocialIdentity } from '../../src/accounts/social-identity.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { proveMailbox } from '../harness/identity.ts';
import { type RegisteredApplication, startTollgate } from '../harness/tollgate.ts';
import { enterAccount } from './account-walk.ts';

export const NAME = 'Ada Canary';

export type DeletionLab = Awaited<ReturnType<typeof openDeletionLab>>;

export async function openDeletionLab() {
  const service = await startTollgate();
  const application = await service.register();
  let exchanges = 0;

  /** A customer, with something in every table that an account can have rows in. */
  async function settle(email: string) {
    const browser = createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });
    const attempt = startAttempt(service, application, { scope: 'openid email profile offline_access' });
    const callback = await signInAs({ authorizationUrl: attempt.url, email, name: NAME, browser });
    const { code = '' } = readCallback(callback);
    const { body } = await exchange(service, application, { code, verifier: attempt.verifier });
    exchanges += 1;
    const person = await enterAccount(service, email);
    const account = await accountOf(email);
    await fillTables(account.id, email);
    return {
      person,
      account,
      accessToken: String(body.access_token),
      refreshToken: String(body.refresh_token),
    };
  }

  async function newCodeOf(email: string, to: RegisteredApplication) {
    const attempt = startAttempt(service, to, { scope: 'openid' });
    const browser = createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });
    const { code = '' } = readCallback(
      await signInAs({ authorizationUrl: attempt.url, email, name: NAME, browser }),
    );
    return { code, verifier: attempt.verifier };
  }

  async function accountOf(email: string) {
    const [account] = await service.db.select().from(accounts).where(eq(accounts.email, email));
    if (!account) throw new Error(`${email} has no account`);
    return account;
  }

  async function fillTables(accountId: string, email: string): Promise<void> {
    const { db } = service;
    const now = new Date();
    const createdAt = now;
    const account = await accountOf(email);
    const place = { uid: randomUUID(), browser: randomUUID() };
    const own = await proveMailbox(db, { account, place });
    await db.insert(passkeys).values({
      id: `pky_${accountId}`,
      accountId,
      credentialId: `credential of ${accountId}`,
      publicKey: new Uint8Array([1, 2, 3]),
      counter: 0,
      transports: ['internal'],
      name: 'Canary key',
      backedUp: true,
      ownerProofId: own.id,
      createdAt,
    });
    const said = await wordOfProvider(place, { subject: `subject ${accountId}`, mailbox: email });
    await transaction(db, (tx) => linkSocialIdentity(tx, { proofId: said.id, ownerProofId: own.id, now }));
    // Words of a provider that led nowhere: one about the address, one about the identity.
    const elsewhere = { uid: randomUUID(), browser: randomUUID() };
    await wordOfProvider(elsewhere, { subject: 'another one', mailbox: email });
    await wordOfProvider(elsewhere, { subject: `subject ${accountId}`, mailbox: undefined });
    await db.insert(emailChanges).values({
      id: `emc_${accountId}`,
      accountId,
      oldEmail: `old.${email}`,
      newEmail: email,
      codeHash: 'x',
      codeExpiresAt: now,
      codeAttempts: 0,
      cancelTokenHash: `cancel ${accountId}`,
      createdAt,
      confirmedAt: now,
    });
  }

  function wordOfProvider(place: Place, said: Said) {
    const provenAt = new Date();
    const word = {
      method: 'provider',
      provider: 'google',
      isMailboxVerified: false,
      name: NAME,
      ...said,
    } as const;
    return recordProof(service.db, { place, purpose: 'sign_in', opens: opensNothing, provenAt, ...word });
  }

  /** Every row of every table, the job queue's included. */
  async function rowsThatName(word: string): Promise<{ table: string; row: string }[]> {
    const tables = rowsOf(
      await service.db.execute(sql`
        select table_schema as schema, table_name as name from information_schema.tables
        where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`),
    );
    const found: { table: string; row: string }[] = [];
    for (const { schema: space, name } of tables) {
      const table = sql`${sql.identifier(String(space))}.${sql.identifier(String(name))}`;
      const rows = await service.db.execute(
        sql`select row_to_json(t)::text as row from ${table} t where row_to_json(t)::text ilike ${`%${word}%`}`,
      );
      found.push(...rowsOf(rows).map(({ row }) => ({ table: String(name), row: String(row) })));
    }
    return found;
  }

  return {
    service,
    application,
    settle,
    newCodeOf,
    wordOfProvider,
    rowsThatName,
    exchanges: () => exchanges,
  };
}

type Said = { subject: string; mailbox: string | undefined };
