// A company's changes that write several rows, each with the line of the audit log: after a crash all of them are there or
// none, what was acknowledged is there, and whoever makes the change again can.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { TollgateError } from '../../src/errors.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { type Answer, postForm, startAttempt } from '../harness/client.ts';
import type { Violation } from '../harness/invariants.ts';
import { openWhenReady } from './exchanges.ts';
import type { Random } from './random.ts';
import { countRows, type RegisteredClient, type World } from './world.ts';

type Wanted = {
  name: string;
  input: Record<string, unknown>;
  /** Rows that belong together, and how many of them one change writes. */
  rows: [SQL, number][];
  /** What the application meets once it is made. */
  isFelt(world: World): Promise<boolean>;
};

export type Change = { make(): Promise<void>; check(): Promise<Violation[]> };

const READY_ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 60;

/** Of an application of its own: what it asks for now is nobody else's business. */
export async function prepareChange(world: World, random: Random): Promise<Change> {
  const client = await world.register();
  const wanted = random.pick([demandMore, registerApi, disable])(client);
  let isAcknowledged = false;
  return {
    async make() {
      try {
        await world.operator()(wanted.name, wanted.input);
        isAcknowledged = true;
      } catch {
        // It was cut off, or it waits for nobody any more.
      }
    },
    check: () => checkChange(world, wanted, isAcknowledged),
  };
}

async function checkChange(world: World, wanted: Wanted, isAcknowledged: boolean): Promise<Violation[]> {
  const rows: Record<string, unknown>[] = [];
  const count = () => Promise.all(wanted.rows.map(([query]) => countRows(world, query)));
  const expected = wanted.rows.map(([, many]) => many);
  const before = await count();
  const isWhole = before.every((found, place) => found === expected[place]);
  const isNone = before.every((found) => found === 0);
  const told = { change: wanted.name, before, expected };
  if (!isWhole && !isNone) rows.push({ what: 'half of a change is there', ...told });
  if (isAcknowledged && !isWhole) rows.push({ what: 'an acknowledged change is gone', ...told });
  if (isNone) {
    await world.operator()(wanted.name, wanted.input);
    const after = await count();
    if (after.some((found, place) => found !== expected[place]))
      rows.push({ what: 'a change could not be made again', after, ...told });
  } else {
    // Again, as whoever saw no answer does: made, or refused in so many words.
    const refusal = await world
      .operator()(wanted.name, wanted.input)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    if (refusal && !(refusal instanceof TollgateError))
      rows.push({ what: 'a change that was there already failed', refusal: String(refusal), ...told });
  }
  if (!(await wanted.isFelt(world))) rows.push({ what: 'a change that is there is not felt', ...told });
  return rows.length > 0 ? [{ oracle: 'a change is whole or not there', rows }] : [];
}

function demandMore({ applicationId: application, ...client }: RegisteredClient): Wanted {
  return {
    name: 'application assurance',
    input: { application, pushedRequests: 'required', dpop: 'required', algorithm: 'ES256' },
    rows: [
      [
        sql`select count(*) from assurances where application_id = ${application}
          and requires_pushed_requests and requires_dpop and signing_algorithm = 'ES256'`,
        1,
      ],
      [audited(application, 'application.assurance_changed'), 1],
    ],
    async isFelt(world) {
      const arrival = await openWhenReady(createBrowser(), startAttempt(world, client).url);
      return 'leftTo' in arrival && arrival.leftTo.includes('error=invalid_request');
    },
  };
}

function registerApi({ applicationId: application, ...client }: RegisteredClient): Wanted {
  const identifier = `https://api.shop.example.test/${randomUUID()}`;
  const input = {
    identifier,
    name: 'Orders',
    scope: ['orders:read=See orders', 'orders:write=Order'],
    application: [application],
    introspect: [application],
  };
  const resource = sql`(select id from resources where identifier = ${identifier})`;
  return {
    name: 'api create',
    input,
    rows: [
      [sql`select count(*) from resources where identifier = ${identifier} and deleted_at is null`, 1],
      [sql`select count(*) from resource_scopes where resource_id = ${resource}`, 2],
      [sql`select count(*) from resource_applications where resource_id = ${resource}`, 1],
      [sql`select count(*) from audit_entries where action = 'api.created' and target = ${resource}`, 1],
    ],
    async isFelt(world) {
      const changed = { scope: 'openid orders:read', resource: identifier };
      const arrival = await openWhenReady(createBrowser(), startAttempt(world, client, changed).url);
      // A page to sign in on; an unknown API would be sent back with an error.
      return 'page' in arrival && arrival.page.status === 200;
    },
  };
}

function disable({ applicationId: application, ...client }: RegisteredClient): Wanted {
  return {
    name: 'application disable',
    input: { application },
    rows: [
      [sql`select count(*) from applications where id = ${application} and disabled_at is not null`, 1],
      [
        sql`select count(*) from engine_records where model = 'ClientRevocation' and id_hash = ${client.clientId}`,
        1,
      ],
      [audited(application, 'application.disabled'), 1],
    ],
    isFelt: async (world) => (await introspectWhenReady(world, client)).body.error === 'invalid_client',
  };
}

function audited(target: string, action: string): SQL {
  return sql`select least(count(*), 1) as count from audit_entries where action = ${action} and target = ${target}`;
}

async function introspectWhenReady(
  world: World,
  { clientId, clientSecret }: Pick<RegisteredClient, 'clientId' | 'clientSecret'>,
): Promise<Answer> {
  const form = { client_id: clientId, client_secret: clientSecret ?? null, token: 'none' };
  for (let attempts = 1; ; attempts += 1) {
    const answer = await postForm(world, '/oauth/introspect', form);
    if (answer.status !== 503 || attempts >= READY_ATTEMPTS) return answer;
    await sleep(PAUSE_MILLISECONDS);
  }
}
