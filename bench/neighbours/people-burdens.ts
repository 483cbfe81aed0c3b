// Burdens of people: ten thousand who leave, newcomers whom nobody can pay for, and strangers who never come back.
import { and, eq, isNull, sql, sum } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { endPerson } from '../../interactions/account/person.ts';
import { ACCOUNT_END } from '../../interactions/account/person-end.ts';
import { findAccount } from '../../src/accounts/account.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { createCompany } from '../company.ts';
import { openHttpConnection } from '../http-connection.ts';
import { signIn } from '../sign-in.ts';
import { type Answers, addUp, type Regulars, type Strangers } from './answers.ts';
import { type Burden, fillRows, inChunks } from './burden.ts';
import type { Turns } from './rounds.ts';
import type { Town } from './town.ts';

/** The share of accounts that are closed before the service starts, which finds all of their work at once. */
const CLOSED_BEFORE = 0.8;
const CLOSING_AT_ONCE = 4;
const LEAVING_PER_SECOND = 10;
const LEAVING = { action: 'member.removed', accountId: null, ipAddress: null } as const;

export function deletions({ accounts, messages }: { accounts: number; messages: number }): Burden {
  return {
    name: `${accounts} deletions, ${messages} messages`,
    async prepare({ database }) {
      const company = await createCompany(database, { applications: 1, people: 1 });
      const application = company.applications[0]?.id ?? '';
      await fillRows(database, async (client) => {
        await inChunks(client, accounts, (series) => people(series));
        await inChunks(client, accounts, (series) => customers(application, series));
        for (const insert of [transfers, events, webhookMessages])
          await inChunks(client, messages, (series) => insert(application, accounts, series));
      });
      const { db } = database.connection;
      let last = 0;
      const next = () => (last < accounts ? ++last : undefined);
      const before = accounts * CLOSED_BEFORE;
      const lane = async () => {
        while (last < before && (await closeNext({ db, next })));
      };
      await Promise.all(Array.from({ length: CLOSING_AT_ONCE }, lane));
      await setNextBite(db, undefined);
      return { turns: (town) => deletionTurns(town, next) };
    },
  };
}

const people = (series: string) =>
  `insert into accounts (id, email, email_verified, name, locale, created_at, updated_at)
   select 'acc_leaving_' || n, 'leaving.' || n || '@example.com', true, 'Ada', 'en', now(), now() from ${series}`;
const customers = (application: string, series: string) =>
  `insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
   select '${application}', 'acc_leaving_' || n, 'leaving ' || n, now(), now(), 1 from ${series}`;
const transfers = (application: string, _: number, series: string) =>
  `insert into transfers
     (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
   select 'trf_leaving_' || n, '${application}', 'charge', 'application:${application}', 'usage:${application}',
     20000, 'EUR', 'charge:leaving ' || n, now() - n * interval '1 second' from ${series}`;
const events = (application: string, accounts: number, series: string) =>
  `insert into usage_events
     (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
   select 'evt_leaving_' || n, '${application}', 'leaving ' || (n % ${accounts} + 1), 'sign_in', 20000, 'EUR',
     'trf_leaving_' || n, 'leaving ' || n, now() - n * interval '1 second' from ${series}`;
const webhookMessages = (application: string, accounts: number, series: string) =>
  `insert into webhook_messages (event_id, application_id, type, body, created_at)
   select 'evt_leaving_' || n, '${application}', 'identity.login.completed.v1', json_build_object('data',
     json_build_object('customer', json_build_object('sub', 'leaving ' || (n % ${accounts} + 1)))),
     now() - n * interval '1 second' from ${series}`;

type Closing = { db: Database; next(): number | undefined };

/** Accounts are closed, one after the other. @returns whether there was one left */
async function closeNext({ db, next }: Closing): Promise<boolean> {
  const number = next();
  if (number === undefined) return false;
  const account = await findAccount(db, `acc_leaving_${number}`);
  if (!account) throw new Error('nobody to delete');
  await transaction(db, (tx) => endPerson(tx, { account, by: LEAVING, now: new Date() }));
  return true;
}

const isDeletion = eq(longWork.kind, ACCOUNT_END);

/** undefined: never. */
async function setNextBite(db: Database, at: Date | undefined): Promise<void> {
  await db
    .update(longWork)
    .set({ nextBiteAt: at ?? sql`'infinity'` })
    .where(and(isDeletion, isNull(longWork.finishedAt)));
}

/** A few more people leave each second; the service forgets everybody meanwhile. */
function deletionTurns({ database: { connection } }: Town, next: Closing['next']): Turns {
  const { db } = connection;
  let closed = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const closeOne = async () => {
    if (await closeNext({ db, next })) closed += 1;
  };
  return {
    async begin() {
      await setNextBite(db, new Date());
      timer = setInterval(() => {
        running = running.then(closeOne);
      }, 1000 / LEAVING_PER_SECOND);
    },
    async end() {
      clearInterval(timer);
      await running;
      await setNextBite(db, undefined);
    },
    async progress() {
      const [row] = await db
        .select({ rows: sum(longWork.done) })
        .from(longWork)
        .where(isDeletion);
      return { closed, 'rows forgotten': Number(row?.rows ?? 0) };
    },
  };
}

const REGULARS = 8;
const NEWCOMERS = 64;
const POOR_PRICES = { registrationPrice: 50_000n, signInPrice: 1n };

/** Nine of ten come for the first time, which is more than the balance has; the tenth is paid. */
export function poorApplication(rate: number): Burden {
  return {
    name: `balance between the prices, ${rate} sign-ins/s`,
    async prepare({ database }) {
      const { registrationPrice } = POOR_PRICES;
      const company = await createCompany(
        database,
        { applications: 1, people: REGULARS + NEWCOMERS },
        { prices: POOR_PRICES, balance: registrationPrice * BigInt(REGULARS) + registrationPrice - 1n },
      );
      return {
        accountIds: company.accountIds,
        turns({ badDriver, service }, badPeople) {
          const [regulars, newcomers] = [badPeople.slice(0, REGULARS), badPeople.slice(REGULARS)];
          const target = { ...service.target, applications: company.applications, people: regulars };
          const [paid, refused] = [{ 'sign-ins': 0 }, { newcomers: 0 }];
          return {
            async prepare() {
              const [application] = company.applications;
              const connection = await openHttpConnection(service.target.port);
              for (const person of regulars) if (application) await signIn(connection, application, person);
              connection.close();
            },
            async begin() {
              const work: Regulars = { target, newcomers, rate, newcomersPerRegular: 9 };
              await badDriver.call('regulars', work);
            },
            async end() {
              const { regular = 0, newcomer = 0, ...others } = await badDriver.call<Answers>('stop');
              if (newcomer > 0) throw new Error('somebody registered for nothing');
              paid['sign-ins'] += regular;
              refused.newcomers += others['newcomer refused'] ?? 0;
            },
            progress: async () => ({ ...paid }),
            refused: () => refused,
          };
        },
      };
    },
  };
}

/** As many as are each far below the limit of one network address. */
const IP_ADDRESSES = 500;

export function strangers(rate: number): Burden {
  return {
    name: `${rate} half-open authorizations/s`,
    async prepare({ database }) {
      const company = await createCompany(database, { applications: 1, people: 1 });
      return {
        turns({ badDriver, service }) {
          const { port } = service.target;
          const work: Strangers = {
            port,
            applications: company.applications,
            rate,
            ipAddresses: IP_ADDRESSES,
          };
          const total: Answers = {};
          return {
            begin: () => badDriver.call('strangers', work),
            end: async () => addUp(total, await badDriver.call<Answers>('stop')),
            progress: async () => ({ begun: total[303] ?? 0 }),
            refused() {
              const { 303: _begun, ...others } = total;
              return others;
            },
          };
        },
      };
    },
  };
}
