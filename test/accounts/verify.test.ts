// `tollgate accounts verify` (promise 15): every rule of docs/identity-invariants.md finds the row that breaks it, and
// no other rule does; what the real flows leave behind breaks none.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { verifyAccounts } from '../../src/accounts/verify.ts';
import { rowsOf } from '../../src/database/connection.ts';
import type { Report } from '../../src/database/verification.ts';
import { enter, open, send, signInToApplication } from '../account-page/account-lab.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { openSocialLab } from '../hosted-pages/social-lab.ts';
import { changesOfProofs } from './verify-proofs.ts';
import { changesOfSessions } from './verify-sessions.ts';
import { type Break, makeWorld, type World } from './verify-world.ts';

const changes = [...changesOfProofs, ...changesOfSessions];

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await openTestDatabase();
  world = await makeWorld(database.connection.db);
});
afterAll(() => database.remove());

const inAnyOrder = ({ rule, violations }: Report['checks'][number]) => ({
  rule,
  violations: violations.length > 1 ? expect.arrayContaining(violations) : violations,
});

/** The numbers of the rules that a change breaks; afterwards it is as if it had never been. */
async function brokenBy(change: Break): Promise<string[]> {
  const found: string[] = [];
  const undo = new Error('undone');
  await database.connection.db
    .transaction(async (tx) => {
      await change(tx, world);
      const { checks } = await verifyAccounts(tx);
      // The same is found wherever a bite ends.
      for (const biteRows of [1, 2])
        expect((await verifyAccounts(tx, { biteRows })).checks).toEqual(checks.map(inAnyOrder));
      found.push(
        ...checks.flatMap(({ rule, violations }) => (violations.length > 0 ? rule.split(':', 1) : [])),
      );
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return found;
}

describe('accounts verify', () => {
  test('finds nothing where everything is as the flows leave it', async () => {
    expect(await brokenBy(async () => undefined)).toEqual([]);
  });

  test.each(changes)('%s finds %s', async (rule, _what, change) => {
    expect(await brokenBy(change)).toEqual([rule]);
  });

  test('every rule has a case, and a line in docs/identity-invariants.md', async () => {
    const documented = await readFile(
      new URL(import.meta.resolve('#root/docs/identity-invariants.md')),
      'utf8',
    );
    const { checks } = await verifyAccounts(database.connection.db);
    const numbers = checks.map(({ rule }) => rule.split(':', 1)[0] ?? '');
    expect(new Set(numbers)).toEqual(new Set(changes.map(([rule]) => rule)));
    expect([...documented.matchAll(/^\| (A\d+) \|/gm)].map(([, number]) => number).toSorted()).toEqual(
      numbers.toSorted(),
    );
  });
});

describe('after real flows', () => {
  test('nothing is found: codes, providers, two browsers, applications, the end of all others, a second person', async () => {
    const lab = await openSocialLab();
    const { service, application } = lab;
    lab.seat('google', '1', 'grace@example.test');
    const grace = await lab.walker('grace@example.test');
    await grace.begin();
    await grace.come('google');
    await grace.finish();
    // The owner's own code, in another browser: whoever was there before goes.
    const owner = await enter(service, 'grace@example.test');
    // A provider's word about an address that has an account: linked once its owner has typed a code for just that.
    lab.seat('github', '2', 'grace@example.test');
    const second = await lab.walker('grace@example.test');
    await second.begin();
    await second.come('github');
    await second.finish();
    await signInToApplication(service, application, { email: 'grace@example.test', browser: owner.browser });
    const others = await open(service, owner.browser, '/account/sessions');
    await send(owner.browser, others, '/account/sessions/end-others');
    await enter(service, 'ada@example.test');
    expect(
      (await verifyAccounts(service.db)).checks.filter(({ violations }) => violations.length > 0),
    ).toEqual([]);
    const [counted] = rowsOf(
      await service.db.execute(sql`
        select (select count(*)::int from accounts) as accounts, (select count(*)::int from social_identities) as identities,
          (select max(generation) from accounts) as generation`),
    );
    expect(counted).toEqual({ accounts: 2, identities: 1, generation: 3 });
    await lab.stop();
  });
});
