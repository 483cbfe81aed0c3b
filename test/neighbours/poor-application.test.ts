// A balance between the two prices (threat 123): each of its registrations is refused, none of its sign-ins, and nobody
// who shares a transaction with them is charged twice, later, or not at all.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBalance } from '../../src/ledger/balance.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { openTestDatabase, openTestPostgres, postgresAddress } from '../harness/database.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type Code, registerPerson, type SignedInPerson } from '../harness/outage.ts';
import { chosenStores } from '../harness/stores.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const REGISTRATION = 50_000n;
const SIGN_IN = 20_000n;
const PEOPLE = 12;

const isOnServers = chosenStores() === 'servers';
let proxy: TcpProxy | undefined;
let service: TestTollgate;
let rich: RegisteredApplication;
let poor: RegisteredApplication;
const people: SignedInPerson[] = [];

beforeAll(async () => {
  proxy = isOnServers ? await startTcpProxy(postgresAddress()) : undefined;
  const { port } = proxy ?? {};
  service = await startTollgate({}, port === undefined ? openTestDatabase : () => openTestPostgres(port));
  rich = await service.register();
  poor = await service.register({ balance: REGISTRATION + REGISTRATION - 1n });
  for (let number = 0; number < PEOPLE; number += 1)
    people.push(await registerPerson(service, rich, `person-${number}@example.test`));
});
afterAll(async () => {
  await expectOracles(service);
  await service.stop();
  await proxy?.close();
});

/** With the consent that the first visit asks for. */
async function codeFor(application: RegisteredApplication, person: SignedInPerson): Promise<Code> {
  const attempt = startAttempt(service, application);
  const callback = await signInAs({ authorizationUrl: attempt.url, ...person, name: 'Person' });
  return { code: readCallback(callback).code ?? '', verifier: attempt.verifier };
}

test('I: what one application cannot pay is refused in the one transaction that charges the others', async () => {
  const [regular, ...newcomers] = people;
  if (!regular) throw new Error('nobody');
  expect((await exchange(service, poor, await codeFor(poor, regular))).status).toBe(200);
  const signIns = await Promise.all(people.map((person) => person.newCode()));
  const registrations = [];
  for (const person of newcomers) registrations.push(await codeFor(poor, person));
  const cheap = await codeFor(poor, regular);
  const rollbacks = () => proxy?.sent('rollback') ?? 0;
  const commits = () => proxy?.sent('commit') ?? 0;
  const before = { rollbacks: rollbacks(), commits: commits() };

  const refused = registrations.map((code) => exchange(service, poor, code));
  const charged = signIns.map((code) => exchange(service, rich, code));
  const paid = exchange(service, poor, cheap);

  const errors = (await Promise.all(refused)).map(({ body }) => body.error);
  expect((await Promise.all(charged)).map(({ status }) => status)).toEqual(signIns.map(() => 200));
  expect((await paid).status).toBe(200);
  expect(errors).toEqual(newcomers.map(() => 'temporarily_unavailable'));
  // Nothing was taken apart.
  expect(rollbacks()).toBe(before.rollbacks);
  expect((await readBalance(service.db, poor.id)).amount).toBe(REGISTRATION - 1n - SIGN_IN);
});

test('I: a registration that is too dear leaves no customer, and is the registration once it is paid', async () => {
  const broke = await service.register({ balance: SIGN_IN });
  const [person] = people;
  if (!person) throw new Error('nobody');
  const attempts = [];
  for (let count = 0; count < 3; count += 1) attempts.push(await codeFor(broke, person));
  const answers = await Promise.all(attempts.map((code) => exchange(service, broke, code)));
  expect(answers.map(({ body }) => body.error)).toEqual(answers.map(() => 'temporarily_unavailable'));
  expect((await readBalance(service.db, broke.id)).amount).toBe(SIGN_IN);
});
