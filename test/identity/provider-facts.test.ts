// What a provider said is one fact about one identity (threat 102): two identities that wait in one sign-in are never
// mixed, and an account that somebody else made at the same moment is not a new one.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { transaction } from '../../src/database/connection.ts';
import { enterAccount, sameOrigin } from '../account-page/account-walk.ts';
import { addAccount } from '../harness/identity.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { chosenStores } from '../harness/stores.ts';
import { until } from '../harness/until.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import { askSilently, outcomeOf, type Place, SIGNED_IN } from './identity-lab.ts';

let lab: SocialLab;
let place: Place;
beforeAll(async () => {
  lab = await openSocialLab();
  place = { service: lab.service, application: lab.application };
});
afterAll(() => lab.stop());

test('an account is linked to the provider that vouched for its address, whichever other identity waits', async () => {
  const [email, elsewhere] = ['two.trips@example.com', 'has.an.account@example.com'];
  await enterAccount(lab.service, elsewhere);
  const walker = await lab.walker(email, { headers: sameOrigin });
  await walker.begin();
  const signInPage = walker.page().url;
  lab.seat('google', 'two-trips', email);
  const fromGoogle = await walker.visit('google');
  await walker.open(signInPage);
  lab.seat('github', '91', elsewhere);
  await walker.come('github');
  expect(outcomeOf(walker.arrival)).toBe('social-proof');
  await walker.open(fromGoogle);
  expect(outcomeOf({ leftTo: (await walker.finish()).href })).toBe(SIGNED_IN);

  const again = await lab.walker(email);
  await again.begin();
  await again.come('google');
  expect(outcomeOf(again.arrival)).toBe(SIGNED_IN);
  const owner = await enterAccount(lab.service, email);
  expect(await owner.mail('was created with')).toContain('was created with Google');
});

/** PGlite has one connection, on which nobody meets anybody. */
const onPostgres = chosenStores() === 'servers' ? test : test.skip;

onPostgres("a provider's word does not open an account that appeared in the same millisecond", async () => {
  const email = 'same.millisecond@example.com';
  lab.seat('google', 'same-millisecond', email);
  const walker = await lab.walker(email);
  await walker.begin();
  const back = await walker.visit('google');
  const now = new Date();
  const { clock, db } = lab.service;
  Object.defineProperty(clock, 'aheadMilliseconds', { get: () => now.getTime() - Date.now() });
  let arriving: Promise<void> | undefined;
  await transaction(db, async (tx) => {
    await addAccount(tx, { email, name: 'The Owner', now });
    arriving = walker.open(back);
    await until('somebody waits for a lock', () => countLockWaits(db), { isIt: (count) => count > 0 });
  });
  await arriving;
  expect(outcomeOf(walker.arrival)).not.toBe('consent');
  expect(outcomeOf(walker.arrival)).not.toBe(SIGNED_IN);
  expect(await askSilently(place, walker.browser)).toBe('login_required');
});
