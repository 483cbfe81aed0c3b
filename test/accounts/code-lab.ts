// One-time codes against the room itself, where every attempt can be counted: interactions, browsers and guesses.
import { expect } from '@jest/globals';
import { knownDevices, type NameOfDevice, rememberDevice } from '../../src/accounts/known-device.ts';
import { type CodeResult, checkCode, issueCode } from '../../src/accounts/one-time-code.ts';
import { startFlow } from '../../src/accounts/sign-in-flow.ts';
import { type Database, openDatabase, transaction } from '../../src/database/connection.ts';
import { createKeys } from '../../src/secrets.ts';
import { hasPostgres, openTestPglite, openTestPostgres } from '../harness/database.ts';

export const START = new Date('2026-11-21T10:00:00.000Z');
export const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const { oneTimeCode: key, device: deviceKey } = createKeys('a secret for tests that is long enough');

let number = 0;
export const next = (name: string) => {
  number += 1;
  return `${name}-${number}`;
};
export const newEmail = (name = 'person') => `${next(name)}@example.com`;

/** A new interaction of a new browser, for a new address unless one is given. */
export async function begin(db: Database, email = newEmail(), now = START) {
  const uid = next('uid');
  await transaction(db, (tx) =>
    startFlow(tx, {
      place: { uid, browser: browserOf(uid) },
      kind: 'sign_in',
      applicationId: 'app_1',
      email,
      now,
    }),
  );
  return { uid, email };
}

export type Started = { uid: string; email: string };

export const issue = (
  db: Database,
  { uid, email }: Started,
  now: Date,
  nameOfDevice: NameOfDevice = stranger,
) => transaction(db, (tx) => issueCode(tx, { key, uid, email, nameOfDevice, now }));

/** A browser in which nobody signed in before. */
export const stranger = () => undefined;

/** One in which this account did. */
export const knownTo = (account: { id: string; generation: number }) =>
  knownDevices(deviceKey, rememberDevice(deviceKey, undefined, account));

export const browserOf = (uid: string) => `the browser of ${uid}`;
export const placeOf = ({ uid }: { uid: string }) => ({ uid, browser: browserOf(uid) });

/** What a right code is answered with, for whoever counts on nothing but the proof. */
export const RIGHT = { result: 'right', proof: expect.objectContaining({ method: 'code' }) };

export async function codeFor(db: Database, started: Started, now = START): Promise<string> {
  const issued = await issue(db, started, now);
  if (!issued.sent) throw new Error('no code was issued');
  return issued.code;
}

export const guess = (
  db: Database,
  uid: string,
  typed: string,
  now = at(1),
  nameOfDevice: NameOfDevice = stranger,
) => checkCode(db, { key, place: { uid, browser: browserOf(uid) }, typed, nameOfDevice, clock: () => now });

export const wrongCodes = (right: string, count: number) =>
  Array.from({ length: count + 1 }, (_, index) => String(100_000 + index))
    .filter((code) => code !== right)
    .slice(0, count);

export const count = (results: CodeResult[], kind: CodeResult['result']) =>
  results.filter(({ result }) => result === kind).length;

/** Where the tests run: on both databases, with a second process on the same one where there can be one. */
export const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

export async function openCodeStores(kind: string) {
  const database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
  const a = database.connection.db;
  const second = database.databaseUrl ? await openDatabase({ databaseUrl: database.databaseUrl }) : undefined;
  return {
    a,
    b: second?.db ?? a,
    async close() {
      await second?.close();
      await database.remove();
    },
  };
}
