// What a proof is and what it opens (docs/decisions/0701), on both databases: a fact that never changes, of one browser in
// one interaction, for the account that it names in its present generation.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { proofs, proofUses } from '../../drizzle/schema/proofs.ts';
import { type Account, createAccount, findAccount, findAccountByEmail } from '../../src/accounts/account.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { claimAccount } from '../../src/accounts/ownership.ts';
import {
  findProof,
  findProviderProof,
  type NewProof,
  openAccount,
  opensFor,
  opensNothing,
  type Place,
  type Proof,
  readProofTime,
  recordProof,
  useProof,
} from '../../src/accounts/proof.ts';
import { deleteStaleProofs } from '../../src/accounts/proof-end.ts';
import { linkSocialIdentity } from '../../src/accounts/social-identity.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { proofKeptSeconds } from '../../src/limits/account.ts';
import { interactionSeconds } from '../../src/limits/token-lifetimes.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount, proveMailbox, signInBrowser } from '../harness/identity.ts';

const systemClock = () => new Date();
const later = (seconds: number) => () => secondsAfter(new Date(), seconds);
const somewhere = (): Place => ({ uid: randomUUID(), browser: randomUUID() });
const newEmail = () => `${randomUUID()}@example.com`;
const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('proofs on %s', (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    db = database.connection.db;
  });
  afterAll(() => database.remove());

  const someone = () => addAccount(db, { email: newEmail() });
  const open = (proofId: string, clock = systemClock) =>
    transaction(db, (tx) => openAccount(tx, { proofId, clock }));
  const raise = ({ id: accountId }: Account, proofId?: string) =>
    transaction(db, (tx) => raiseGeneration(tx, { accountId, proofId, now: new Date() }));
  const prove = (said: Partial<NewProof> & Pick<NewProof, 'method'>) =>
    recordProof(db, {
      place: somewhere(),
      purpose: 'sign_in',
      opens: opensNothing,
      provenAt: new Date(),
      ...said,
    } as NewProof);
  const word = (mailbox: string, place = somewhere()) =>
    prove({
      method: 'provider',
      provider: 'google',
      subject: randomUUID(),
      mailbox,
      isMailboxVerified: true,
      name: undefined,
      place,
    });
  const newMailbox = (mailbox: string) => prove({ method: 'code', mailbox, opens: opensFor(undefined) });
  const create = (proof: Proof) =>
    transaction(db, (tx) => createAccount(tx, { proof, locale: 'en', now: new Date() }));

  describe('is a fact', () => {
    test('that nothing changes: not the row, and not what it was used for', async () => {
      const proof = await proveMailbox(db, { account: await someone() });
      await useProof(db, { proofId: proof.id, use: 'recover', now: new Date() });
      const change = { accountId: 'acc_thief', mailbox: 'thief@example.com', generation: 2 };
      await expect(db.update(proofs).set(change).where(eq(proofs.id, proof.id))).rejects.toThrow();
      const use = db.update(proofUses).set({ usedAt: new Date(0) });
      await expect(use.where(eq(proofUses.proofId, proof.id))).rejects.toThrow();
      expect(await findProof(db, proof.id, undefined)).toEqual(proof);
    });

    test.each<[string, Partial<Proof>]>([
      ['a code without a mailbox', { method: 'code', mailbox: null }],
      ['a code that leaves the mailbox unproven', { method: 'code', isMailboxVerified: false }],
      ['a code that opens nobody', { method: 'code', accountId: null }],
      ['a password that proves a mailbox', { method: 'password' }],
      ['a passkey without its credential', { method: 'passkey', mailbox: null, isMailboxVerified: false }],
      ['a provider that names nobody', { method: 'provider' }],
      ['a new account from a password', { method: 'password', mailbox: null, isNewAccount: true }],
      [
        'a new account from an address that a provider does not vouch for',
        { method: 'provider', provider: 'x', subject: 'x', isMailboxVerified: false, isNewAccount: true },
      ],
      [
        'a new account without a mailbox',
        { method: 'provider', provider: 'x', subject: 'x', mailbox: null, isNewAccount: true },
      ],
      ['a new account from an import', { method: 'import', isNewAccount: true }],
    ])('that the database takes only if it can be one: not %s', async (_case, changed) => {
      const right = await proveMailbox(db, { account: await someone() });
      await expect(db.insert(proofs).values({ ...right, id: randomUUID(), ...changed })).rejects.toThrow();
      await db.insert(proofs).values({ ...right, id: randomUUID() });
    });

    test('of one browser in one interaction: nobody else finds it', async () => {
      const place = somewhere();
      const proof = await proveMailbox(db, { account: await someone(), place });
      expect(await findProof(db, proof.id, place)).toEqual(proof);
      expect(await findProof(db, proof.id, { ...place, browser: 'another' })).toBeUndefined();
      expect(await findProof(db, proof.id, { ...place, uid: 'another' })).toBeUndefined();
      expect(JSON.stringify(proof)).not.toContain(place.browser);
      await expect(
        proveMailbox(db, { account: await someone(), place: { ...place, browser: '' } }),
      ).rejects.toThrow('a proof of no browser');
    });

    test('A: the provider’s word that counts is the last one in this place, as it was said', async () => {
      const place = somewhere();
      await word('first@example.com', place);
      await word('elsewhere@example.com');
      const provenAt = later(1)();
      const second = await prove({
        method: 'provider',
        provider: 'github',
        subject: '2',
        mailbox: 'second@example.com',
        isMailboxVerified: false,
        name: 'Two',
        place,
        provenAt,
      });
      await proveMailbox(db, { account: await someone(), place, provenAt: later(2)() });
      expect(await findProviderProof(db, place)).toEqual(second);
      expect(await findProviderProof(db, { ...place, browser: 'another' })).toBeUndefined();
    });

    test('with the time of the database, which moves with the clock', async () => {
      const [now, tomorrow] = [await readProofTime(db, systemClock), await readProofTime(db, later(86_400))];
      expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(5_000);
      expect(Math.round((tomorrow.getTime() - now.getTime()) / 10_000)).toBe(8_640);
    });
  });

  describe('opens an account', () => {
    test('that it names, and no other', async () => {
      const [account] = [await someone(), await someone()];
      expect(await open((await proveMailbox(db, { account })).id)).toEqual(account);
      expect(await open((await word(account.email)).id)).toBeUndefined();
      expect(await open('pro_that_never_was')).toBeUndefined();
    });

    test('in its present generation: what was proven before is worth nothing, what is proven after is', async () => {
      const account = await someone();
      const before = await proveMailbox(db, { account });
      await raise(account);
      expect(await open(before.id)).toBeUndefined();
      const present = await findAccount(db, account.id);
      if (!present) throw new Error('no account');
      expect(present.generation).toBe(account.generation + 1);
      expect(await open((await proveMailbox(db, { account: present })).id)).toEqual(present);
      // Read before the secret was, and so of before.
      expect(await open((await proveMailbox(db, { account })).id)).toBeUndefined();
    });

    test('that it raised itself, and only as long as nothing raises it again; another one of its age does not', async () => {
      const account = await someone();
      const [raising, other] = [await proveMailbox(db, { account }), await proveMailbox(db, { account })];
      await raise(account, raising.id);
      expect((await open(raising.id))?.id).toBe(account.id);
      expect(await open(other.id)).toBeUndefined();
      await raise(account);
      expect(await open(raising.id)).toBeUndefined();
    });

    test('not with a proof of two generations before, though that is named as what raised it', async () => {
      const account = await someone();
      const old = await proveMailbox(db, { account });
      await raise(account);
      await raise(account, old.id);
      expect(await open(old.id)).toBeUndefined();
    });

    test('as long as an interaction lasts', async () => {
      const proof = await proveMailbox(db, { account: await someone() });
      expect(await open(proof.id, later(interactionSeconds - 5))).toBeDefined();
      expect(await open(proof.id, later(interactionSeconds + 5))).toBeUndefined();
    });

    test('and holds it: what ends everything waits until the use of it is written', async () => {
      const account = await someone();
      const proof = await proveMailbox(db, { account });
      const order: string[] = [];
      let raising: Promise<void> | undefined;
      await transaction(db, async (tx) => {
        await openAccount(tx, { proofId: proof.id, clock: systemClock });
        raising = raise(account).then(() => void order.push('raised'));
        await new Promise((wake) => setTimeout(wake, 100));
        order.push('written');
      });
      await raising;
      expect(order).toEqual(['written', 'raised']);
    });
  });

  describe('makes an account', () => {
    test('of a mailbox that nobody had, once, which it then opens', async () => {
      const proof = await newMailbox(newEmail());
      expect(await open(proof.id)).toBeUndefined();
      const made = await create(proof);
      expect(made).toMatchObject({ id: proof.accountId, email: proof.mailbox, mailboxProofId: proof.id });
      expect(await create(proof)).toEqual(made);
      expect(await open(proof.id)).toEqual(made);
      expect(
        await db
          .select()
          .from(accounts)
          .where(eq(accounts.email, proof.mailbox ?? '')),
      ).toHaveLength(1);
    });

    test('L: not when the address was registered elsewhere meanwhile, and opens nothing either', async () => {
      const [slow, quick] = [await newMailbox('l@example.com'), await newMailbox('l@example.com')];
      const owner = await create(quick);
      expect(await create(slow)).toBeUndefined();
      expect(await create(slow)).toBeUndefined();
      expect(await open(slow.id)).toBeUndefined();
      expect(await findAccountByEmail(db, 'l@example.com')).toEqual(owner);
    });

    test('not a second time when that account is gone', async () => {
      const proof = await newMailbox(newEmail());
      const made = await create(proof);
      await db.delete(accounts).where(eq(accounts.id, made?.id ?? ''));
      expect(await create(proof)).toBeUndefined();
    });

    test('says who vouched for the address, or that its owner proved it', async () => {
      const opens = opensFor(undefined);
      const vouched = await recordProof(db, {
        place: somewhere(),
        purpose: 'sign_in',
        method: 'provider',
        provider: 'github',
        subject: randomUUID(),
        mailbox: newEmail(),
        isMailboxVerified: true,
        name: 'Ada',
        opens,
        provenAt: new Date(),
      });
      expect(await create(vouched)).toMatchObject({ vouchedBy: 'github', emailVerified: true });
      expect(await create(await newMailbox(newEmail()))).toMatchObject({ vouchedBy: null });
    });

    test('A: not from a word about an address for which the provider does not vouch, nor from a proof of an account', async () => {
      for (const proof of [await word(newEmail()), await proveMailbox(db, { account: await someone() })])
        await expect(create(proof)).rejects.toThrow('may not make an account');
    });
  });

  test('is used once for each purpose, however many ask at once', async () => {
    const { id: proofId } = await proveMailbox(db, { account: await someone() });
    const now = new Date();
    const ask = async (use: 'recover' | 'create_account' | 'sign_in', sessionHash?: string) => {
      const also = sessionHash === undefined ? {} : { sessionHash };
      const asked = Array.from({ length: 20 }, () =>
        transaction(db, (tx) => useProof(tx, { proofId, use, now, ...also })),
      );
      return (await Promise.all(asked)).filter(Boolean).length;
    };
    expect([await ask('recover'), await ask('create_account'), await ask('sign_in', 'a session')]).toEqual([
      1, 1, 1,
    ]);
    const { id } = await proveMailbox(db, { account: await someone() });
    await expect(useProof(db, { proofId: id, use: 'sign_in', now })).rejects.toThrow();
    await expect(useProof(db, { proofId: id, use: 'recover', sessionHash: 'x', now })).rejects.toThrow();
  });

  test('threat 40: the first code of a vouched account claims it, once; no other proof does', async () => {
    const account = await addAccount(db, { email: newEmail(), vouchedBy: 'google' });
    const claim = (proof: Proof) =>
      transaction(db, (tx) => claimAccount(tx, { account, proof, now: new Date() }));
    expect(await claim(await word(account.email))).toBe(false);
    expect(await claim(await newMailbox(newEmail()))).toBe(false);
    const proof = await proveMailbox(db, { account });
    const claimed = await Promise.all([claim(proof), claim(proof), claim(proof)]);
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(await findAccount(db, account.id)).toMatchObject({ vouchedBy: null, mailboxProofId: proof.id });
  });

  describe('links a provider', () => {
    const link = (proofId: string, ownerProofId: string) =>
      transaction(db, (tx) => linkSocialIdentity(tx, { proofId, ownerProofId, now: new Date() }));
    const linksOf = ({ id }: Account) =>
      db.select().from(socialIdentities).where(eq(socialIdentities.accountId, id));

    test('by two proofs of one browser in one interaction', async () => {
      const account = await someone();
      const place = somewhere();
      const [own, said] = [await proveMailbox(db, { account, place }), await word('x@example.com', place)];
      expect(await link(said.id, own.id)).toBe(true);
      expect(await linksOf(account)).toMatchObject([
        { provider: 'google', subject: said.subject, proofId: said.id, ownerProofId: own.id },
      ]);
      expect(await link(said.id, own.id)).toBe(false);
    });

    test('not by proofs of two browsers, two interactions, or of before everything was ended', async () => {
      const account = await someone();
      const place = somewhere();
      const own = await proveMailbox(db, { account, place });
      const email = account.email;
      for (const other of [somewhere(), { ...place, uid: 'another' }, { ...place, browser: 'another' }])
        expect(await link((await word(email, other)).id, own.id)).toBe(false);
      const said = await word(email, place);
      expect(await link(own.id, own.id)).toBe(false);
      expect(await link(own.id, said.id)).toBe(false);
      await raise(account);
      expect(await link(said.id, own.id)).toBe(false);
      expect(await linksOf(account)).toEqual([]);
    });

    test('never one that another account has, nor a second one of the same provider', async () => {
      const [account, other] = [await someone(), await someone()];
      const [place, elsewhere] = [somewhere(), somewhere()];
      const own = await proveMailbox(db, { account, place });
      const said = await word('x@example.com', place);
      expect(await link(said.id, own.id)).toBe(true);
      const again = await prove({ ...wordOf(said), place: elsewhere });
      const others = await proveMailbox(db, { account: other, place: elsewhere });
      expect(await link(again.id, others.id)).toBe(false);
      const second = await word('x@example.com', place);
      expect(await link(second.id, own.id)).toBe(false);
      expect((await linksOf(account)).map(({ subject }) => subject)).toEqual([said.subject]);
    });

    const wordOf = ({ subject }: Proof) => ({
      method: 'provider' as const,
      provider: 'google',
      subject: subject ?? '',
      mailbox: undefined,
      isMailboxVerified: false,
      name: undefined,
    });
  });

  test('goes when nothing stands on it and no interaction can be about it; what stands stays', async () => {
    const account = await someone();
    await signInBrowser(db, { account });
    const raising = await proveMailbox(db, { account });
    await raise(account, raising.id);
    const idle = await proveMailbox(db, { account });
    const passkeyOwner = await proveMailbox(db, { account });
    await db.insert(passkeys).values({
      id: randomUUID(),
      accountId: account.id,
      credentialId: randomUUID(),
      publicKey: new Uint8Array([1]),
      counter: 0,
      transports: [],
      name: 'A key',
      backedUp: false,
      ownerProofId: passkeyOwner.id,
      createdAt: new Date(),
    });
    await deleteStaleProofs(db, later(proofKeptSeconds - 60));
    expect(await findProof(db, idle.id, undefined)).toBeDefined();
    await deleteStaleProofs(db, later(proofKeptSeconds + 60));
    expect(await findProof(db, idle.id, undefined)).toBeUndefined();
    const standing = { mailbox: account.mailboxProofId ?? '', raising: raising.id, passkey: passkeyOwner.id };
    const kept: string[] = [];
    for (const [what, id] of Object.entries(standing))
      if (await findProof(db, id, undefined)) kept.push(what);
    expect(kept).toEqual(Object.keys(standing));
  });
});
