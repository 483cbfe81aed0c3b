// What ends what, in every store that keeps the engine's state (docs/decisions/0701): the session's row and the account's
// generation decide exactly, whatever is saved late, at the same moment, or comes back from a store that forgot.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transaction } from '../../src/database/connection.ts';
import { randomSecret } from '../../src/secrets.ts';
import {
  availableStores,
  type EngineStores,
  openEngineStores,
  type SignedIn,
  type StoreKind,
} from '../harness/engine-stores.ts';

const UNDER_A_GRANT = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];
const EVERYTHING = ['Session', 'Grant', ...UNDER_A_GRANT];

for (const kind of await availableStores()) describe(`endings in ${kind.name}`, () => endings(kind));

function endings(kind: StoreKind) {
  /** Stands still: all of it happens in one millisecond. */
  const now = new Date('2026-11-21T10:00:00.000Z');
  let stores: EngineStores;
  beforeAll(async () => {
    stores = await openEngineStores(kind, () => now);
  });
  afterAll(() => stores.remove());

  const grantOf = ({ uid }: SignedIn) => `Grant of ${uid}`;
  const idOf = (model: string, { uid }: SignedIn) => `${model} of ${uid}`;
  const saveEverything = async (browser: SignedIn) => {
    for (const model of EVERYTHING)
      await stores.save(browser, model, idOf(model, browser), { grantId: grantOf(browser) });
  };
  const usableOf = async (browser: SignedIn) => {
    const usable = await Promise.all(EVERYTHING.map((model) => stores.isUsable(model, idOf(model, browser))));
    return EVERYTHING.filter((_model, n) => usable[n]);
  };
  const revoke = (
    { account }: SignedIn,
    also: { keepSession?: string; endsOwnTokens?: boolean; proofId?: string } = {},
  ) =>
    transaction(stores.db, (tx) =>
      stores.revocation.revokeAccount(tx, { accountId: account.id, now, ...also }),
    );
  const end = ({ account, sessionHash }: SignedIn) =>
    stores.revocation.revokeSession(stores.db, { uidHash: sessionHash, accountId: account.id, now });
  const signedIn = async (known?: SignedIn) => {
    const browser = await stores.signIn(known?.account);
    await saveEverything(browser);
    expect(await usableOf(browser)).toEqual(EVERYTHING);
    return browser;
  };

  test('revokeGrants ends grants with their codes and tokens of every model', async () => {
    const browser = await signedIn();
    await stores.save(browser, 'Interaction', 'interaction', { grantId: grantOf(browser) });
    await stores.revocation.revokeGrants(stores.db, [grantOf(browser)]);
    expect(await stores.adapterFor('Interaction').find('interaction')).toBeDefined();
    for (const model of ['Grant', ...UNDER_A_GRANT])
      expect(await stores.adapterFor(model).find(idOf(model, browser))).toBeUndefined();
    await stores.revocation.revokeGrants(stores.db, []);
  });

  test('tokens saved while their grant is revoked: the grant is gone for all of them', async () => {
    const browser = await signedIn();
    const grantId = grantOf(browser);
    const ids = Array.from({ length: 20 }, () => randomSecret());
    const adapter = stores.adapterFor('AccessToken');
    const save = (id: string) => adapter.upsert(id, { jti: id, grantId }, 60);
    await Promise.all([
      ...ids.slice(0, 10).map(save),
      stores.revocation.revokeGrants(stores.db, [grantId]),
      ...ids.slice(10).map(save),
    ]);
    expect(await Promise.all(ids.map((id) => stores.isUsable('AccessToken', id)))).not.toContain(true);
    await stores.revocation.revokeGrants(stores.db, [grantId]);
    expect((await Promise.all(ids.map((id) => adapter.find(id)))).filter(Boolean)).toEqual([]);
  });

  test('the end of an account ends exactly that one, in the very millisecond in which the rest was saved', async () => {
    const [ended, other] = [await signedIn(), await signedIn()];
    const elsewhere = await signedIn(ended);
    await revoke(ended);
    expect([await usableOf(ended), await usableOf(elsewhere)]).toEqual([[], []]);
    expect(await stores.adapterFor('Session').findByUid(ended.uid)).toBeUndefined();
    expect(await usableOf(other)).toEqual(EVERYTHING);
  });

  test('what a request under way writes after that is worthless, however late it says it is; a later sign-in is not', async () => {
    const before = await signedIn();
    await revoke(before);
    const later = Math.floor(now.getTime() / 1000) + 3_600;
    const payload = { grantId: grantOf(before), loginTs: later, iat: later, authTime: later };
    for (const model of EVERYTHING) await stores.save(before, model, idOf(model, before), payload);
    expect(await usableOf(before)).toEqual([]);
    expect(await stores.adapterFor('Session').findByUid(before.uid)).toBeUndefined();
    const after = await signedIn(before);
    expect(await usableOf(before)).toEqual([]);
    await revoke(before);
    expect(await usableOf(after)).toEqual([]);
  });

  test('a new grant of an old request is worthless in a session that began after it', async () => {
    const before = await signedIn();
    await revoke(before);
    const after = await signedIn(before);
    await stores.save(before, 'Grant', 'a new one', {});
    await stores.save(after, 'RefreshToken', 'borrowed', { grantId: 'a new one' });
    expect(await stores.isUsable('RefreshToken', 'borrowed')).toBe(false);
  });

  test('the browser that asks stays signed in, and its applications do, unless they are to sign it in again', async () => {
    const kept = await signedIn();
    const other = await signedIn(kept);
    await revoke(kept, { keepSession: kept.sessionHash });
    expect(await usableOf(kept)).toEqual(EVERYTHING);
    expect(await usableOf(other)).toEqual([]);
    await revoke(kept, { keepSession: kept.sessionHash, endsOwnTokens: true });
    expect(await usableOf(kept)).toEqual(['Session']);
    await revoke(kept, { keepSession: other.sessionHash });
    expect([await usableOf(kept), await usableOf(other)]).toEqual([[], []]);
  });

  test('of two at once, each keeps no browser that the other ended', async () => {
    const one = await signedIn();
    const other = await signedIn(one);
    await Promise.all([
      revoke(one, { keepSession: one.sessionHash }),
      revoke(one, { keepSession: other.sessionHash }),
    ]);
    expect([...(await usableOf(one)), ...(await usableOf(other))]).toEqual([]);
  });

  test('sessions saved and revoked at the same time: whatever the order, none of before survives', async () => {
    const browsers = [await stores.signIn()];
    while (browsers.length < 20) browsers.push(await stores.signIn(browsers[0]?.account));
    const [first] = browsers;
    if (!first) throw new Error('no browser');
    const save = (browser: SignedIn) => stores.save(browser, 'Session', idOf('Session', browser));
    await Promise.all([...browsers.slice(0, 10).map(save), revoke(first), ...browsers.slice(10).map(save)]);
    const adapter = stores.adapterFor('Session');
    const found = await Promise.all(
      browsers.flatMap((browser) => [adapter.find(idOf('Session', browser)), adapter.findByUid(browser.uid)]),
    );
    expect(found.filter((session) => session !== undefined)).toEqual([]);
  });

  test('a session that has ended stays ended although it is saved again, with all that it led to', async () => {
    const browser = await signedIn();
    const other = await signedIn(browser);
    expect(await end(browser)).toBe(true);
    expect(await usableOf(browser)).toEqual([]);
    await saveEverything(browser);
    expect(await usableOf(browser)).toEqual([]);
    expect(await stores.adapterFor('Session').findByUid(browser.uid)).toBeUndefined();
    expect(await end(browser)).toBe(false);
    expect(await usableOf(other)).toEqual(EVERYTHING);
  });

  test('nobody ends the session of somebody else', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    expect(await end({ ...theirs, account: mine.account })).toBe(false);
    expect(await usableOf(theirs)).toEqual(EVERYTHING);
  });

  test('nor does any end come undone when the engine’s store comes back as it was before', async () => {
    const [ended, revoked, living] = [await signedIn(), await signedIn(), await signedIn()];
    const bringBack = await stores.remember();
    await end(ended);
    await revoke(revoked);
    await bringBack();
    expect([await usableOf(ended), await usableOf(revoked)]).toEqual([[], []]);
    expect(await stores.adapterFor('Session').findByUid(ended.uid)).toBeUndefined();
    expect(await usableOf(living)).toEqual(EVERYTHING);
  });

  test('a grant stays its first session’s, whoever saves it, and one that no browser’s request saved is nobody’s', async () => {
    const first = await signedIn();
    const second = await signedIn(first);
    await stores.save(second, 'Grant', grantOf(first));
    await end(first);
    expect(await stores.isUsable('Grant', grantOf(first))).toBe(false);
    const adapter = stores.adapterFor('Grant');
    await adapter.upsert('of nobody', { jti: 'of nobody', accountId: first.account.id }, 60);
    expect(await adapter.find('of nobody')).toBeUndefined();
  });

  test('a session or a grant that names another account than its row is not found', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    const accountId = theirs.account.id;
    for (const model of ['Session', 'Grant']) {
      await stores.save(mine, model, `${model} of a thief`, { accountId });
      expect(await stores.isUsable(model, `${model} of a thief`)).toBe(false);
    }
  });

  test('a session says of its sign-in what the proof says, whatever was saved with it', async () => {
    const browser = await stores.signIn();
    const payload = { loginTs: 1, amr: ['mfa'], acr: 'phr', state: { of: 'a logout' } };
    await stores.save(browser, 'Session', idOf('Session', browser), payload);
    const found = await stores.adapterFor('Session').find(idOf('Session', browser));
    expect(found).toMatchObject({ amr: ['otp'], state: { of: 'a logout' } });
    expect(found?.acr).toBe('urn:tollgate:acr:1fa');
    expect(found?.loginTs).toBeGreaterThan(1_000_000_000);
  });
}
