// People for tests that are not about signing in: accounts, signed-in browsers and sessions on our own pages as the real
// flows leave them, each with the proof that it stands on.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { proofImports } from '../../drizzle/schema/proofs.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { type Account, createAccount } from '../../src/accounts/account.ts';
import { IDENTITY_IMPORT, importProofs } from '../../src/accounts/import-proofs.ts';
import { openPageSession, type PageArea } from '../../src/accounts/page-session.ts';
import { opensFor, type Place, type Proof, recordProof, useProof } from '../../src/accounts/proof.ts';
import { secondsAfter } from '../../src/clock.ts';
import type { Database } from '../../src/database/connection.ts';
import { sha256 } from '../../src/secrets.ts';

type NewPerson = {
  email: string;
  name?: string | null;
  passwordHash?: string | null;
  /** A social provider vouched for the address, instead of a code. */
  vouchedBy?: string;
  locale?: string;
  now?: Date;
};

export async function addAccount(db: Database, person: NewPerson): Promise<Account> {
  // Long enough ago for every sign-in that a test makes up.
  const { email, vouchedBy, locale = 'en', now = secondsAfter(new Date(), -7_200), ...typed } = person;
  const said = vouchedBy
    ? {
        method: 'provider' as const,
        provider: vouchedBy,
        subject: randomUUID(),
        mailbox: email,
        isMailboxVerified: true,
        name: undefined,
      }
    : { method: 'code' as const, mailbox: email };
  const proof = await recordProof(db, {
    place: somewhere(),
    purpose: 'registration',
    opens: opensFor(undefined),
    provenAt: now,
    ...said,
  });
  const account = await createAccount(db, { ...typed, proof, locale, now });
  if (!account) throw new Error(`${email} has an account already`);
  return account;
}

/** By a code, in a place of its own unless told. */
export async function proveMailbox(
  db: Database,
  {
    account,
    place = somewhere(),
    provenAt = new Date(),
  }: { account: Account; place?: Place; provenAt?: Date },
): Promise<Proof> {
  return recordProof(db, {
    place,
    purpose: 'sign_in',
    method: 'code',
    mailbox: account.email,
    opens: opensFor(account),
    provenAt,
  });
}

type NewBrowser = {
  account: Account;
  uid?: string;
  /** Value of its cookie. */
  browser?: string;
  provenSecondsAgo?: number;
  userAgent?: string;
  now?: Date;
};

/** @returns `sessions.uid_hash`. */
export async function signInBrowser(db: Database, signedIn: NewBrowser): Promise<string> {
  const { account, uid = randomUUID(), browser = randomUUID(), provenSecondsAgo = 0 } = signedIn;
  const { userAgent = 'test', now = new Date() } = signedIn;
  const place = { uid: randomUUID(), browser };
  const provenAt = secondsAfter(now, -provenSecondsAgo);
  const proof = await proveMailbox(db, { account, place, provenAt });
  const uidHash = sha256(uid);
  await useProof(db, { proofId: proof.id, use: 'sign_in', sessionHash: uidHash, now: proof.provenAt });
  await db.insert(sessions).values({
    uidHash,
    accountId: account.id,
    generation: account.generation,
    proofId: proof.id,
    createdAt: now,
    lastSeenAt: now,
    userAgent,
    ipAddress: '127.0.0.1',
  });
  return uidHash;
}

/** @returns the value of the page's cookie. */
export async function signInToPages(
  db: Database,
  { area, now = new Date(), browser = randomUUID(), ...signedIn }: NewBrowser & { area: PageArea },
): Promise<{ id: string; token: string; sessionHash: string }> {
  const sessionHash = await signInBrowser(db, { ...signedIn, browser, now });
  const { account, userAgent = 'test' } = signedIn;
  const page = { area, accountId: account.id, sessionHash, browser, userAgent, ipAddress: '127.0.0.1', now };
  const opened = await openPageSession(db, page);
  if (!opened) throw new Error('no living session of this browser');
  return { ...opened, sessionHash };
}

/** Whom a test has written by hand, as the release before proofs did. */
export async function takeOver(db: Database): Promise<void> {
  const importUntil = async (until: Date) => {
    const row = { name: IDENTITY_IMPORT, until };
    await db.insert(proofImports).values(row).onConflictDoUpdate({ target: proofImports.name, set: row });
  };
  const clock = () => new Date();
  await importUntil(secondsAfter(clock(), 366 * 86_400));
  await importProofs(db, { clock });
  await importUntil(new Date(0));
}

/** For tests of money, whose customers are made-up ids: the people who are behind them. */
export async function addPeopleOfCustomers(db: Database): Promise<void> {
  await db.execute(sql`
    insert into accounts (id, email, email_verified, locale, created_at, updated_at)
    select distinct account_id, md5(account_id) || '@customers.example.test', true, 'en', now(), now() from customers c
    where account_id <> 'deleted ' || sub and not exists (select 1 from accounts a where a.id = c.account_id)`);
  await takeOver(db);
}

function somewhere(): Place {
  return { uid: randomUUID(), browser: randomUUID() };
}
