// The page that tells a developer why a received webhook is refused, behind the page: every check, the usual
// mistakes by name, and nothing of a secret in any answer.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { checkReceivedRequest } from '../../src/webhooks/received-request.ts';
import { rotateSecret } from '../../src/webhooks/signing-secret.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Company, createCompany, emit, eventOf, keys, START, subscribe } from './company.ts';

let database: TestDatabase;
let company: Company;
let subscription: { id: string; secret: string };
let body: string;
const eventId = newId('evt');
const timestamp = String(START.getTime() / 1000);
const db = () => database.connection.db;

beforeAll(async () => {
  database = await openTestDatabase();
  company = await createCompany(db());
  subscription = await subscribe(db(), company, 'https://localhost:4443/hooks');
  // Slashes and letters beyond ASCII, where other languages write JSON in another way.
  const event = eventOf(company, { id: eventId }, 'Zoë / Ada');
  await emit(db(), event);
  const { data, createdAt, type } = event;
  body = JSON.stringify({
    id: eventId,
    type,
    created_at: createdAt.toISOString(),
    livemode: true,
    data: { application_id: company.applicationId, ...data },
  });
});
afterAll(() => database.remove());

const sign = (key: string | Buffer, message: string) => createHmac('sha256', key).update(message).digest();
const genuine = () => `v1=${sign(subscription.secret, `${timestamp}.${body}`).toString('hex')}`;
const headersWith = (signature: string) =>
  `x-service-webhook-id: ${eventId}\nx-service-webhook-timestamp: ${timestamp}\nx-service-webhook-signature: ${signature}`;

type Pasted = { headers?: string; body?: string; computed?: string; now?: Date; subscriptionId?: string };

async function check(pasted: Pasted) {
  const checks = await checkReceivedRequest(db(), {
    keys,
    workspaceId: company.workspaceId,
    subscriptionId: subscription.id,
    headers: headersWith(genuine()),
    body,
    computed: '',
    now: START,
    ...pasted,
  });
  const said = checks.map(({ name, outcome, sentence }) => `${outcome}: ${name}: ${sentence}`);
  expect(said.join('\n')).not.toContain(subscription.secret.slice(6, 20));
  expect(said.join('\n')).not.toContain(genuine().slice(3, 20));
  return {
    failed: checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name),
    notes: checks.filter(({ outcome }) => outcome === 'note').map(({ name }) => name),
    text: said.join('\n'),
    names: checks.map(({ name }) => name),
  };
}

describe('promise 39: each check is one line', () => {
  test('a request as it was sent passes every one of them', async () => {
    const { failed, notes, names } = await check({});
    expect({ failed, notes }).toEqual({ failed: [], notes: [] });
    expect(names).toEqual([
      'Both headers are present',
      'Names of the headers',
      'Timestamp is a number of seconds',
      'Within 300 seconds of now',
      'Label v1=',
      'Lower-case hex',
      'Body is exact',
      'Signature is the right one',
    ]);
  });

  test.each([
    ['curl -v', (text: string) => text.replace(/^/gm, '> ')],
    ['curl -H', (text: string) => text.replace(/^(.*)$/gm, "-H '$1' \\")],
    [
      'JSON',
      (text: string) => JSON.stringify(Object.fromEntries(text.split('\n').map((line) => line.split(': ')))),
    ],
    ['Python', (text: string) => text.replace(/^([^:]+): (.*)$/gm, "'$1': '$2',")],
    ['PHP', (text: string) => text.replace(/^([^:]+): (.*)$/gm, '    [$1] => $2')],
    ['a browser, with CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('headers as %s prints them are understood', async (_name, print) => {
    expect((await check({ headers: print(headersWith(genuine())) })).failed).toEqual([]);
  });

  test('a whole request in the first field is understood', async () => {
    const whole = `POST /hooks HTTP/1.1\r\n${headersWith(genuine())}\r\n\r\n${body}`;
    expect((await check({ headers: whole, body: '' })).failed).toEqual([]);
  });

  test('a missing header is named, and one that looks like it', async () => {
    const { failed, text } = await check({
      headers: `x-service-webhook-timestamp: ${timestamp}\nsvix-signature: v1,abc`,
    });
    expect(failed[0]).toBe('Both headers are present');
    expect(text).toContain('Missing: x-service-webhook-signature. There is svix-signature');
  });

  test('names that a server spells in its own way are a note', async () => {
    const { failed, notes, text } = await check({
      headers: headersWith(genuine())
        .replace('x-service-webhook-signature', 'HTTP_X_SERVICE_WEBHOOK_SIGNATURE')
        .replace('x-service-webhook-timestamp', 'X-Service-Webhook-Timestamp'),
    });
    expect({ failed, notes }).toEqual({ failed: [], notes: ['Names of the headers'] });
    expect(text).toContain('X-Service-Webhook-Timestamp');
  });

  test('a request pasted later is genuine: the timestamp is a note that says by how much', async () => {
    const later = await check({ now: new Date(START.getTime() + 3 * 3_600_000) });
    expect({ failed: later.failed, notes: later.notes }).toEqual({
      failed: [],
      notes: ['Within 300 seconds of now'],
    });
    expect(later.text).toContain('3 hours behind our clock');
    const ahead = await check({ now: new Date(START.getTime() - 301_000) });
    expect(ahead.text).toContain('5 minutes ahead of our clock');
    expect((await check({ now: new Date(START.getTime() + 300_000) })).notes).toEqual([]);
    const alsoWrong = await check({ now: new Date(START.getTime() + 3_600_000), body: `${body} ` });
    expect(alsoWrong.failed).toContain('Within 300 seconds of now');
  });

  test('milliseconds and dates are no timestamps', async () => {
    const inMilliseconds = headersWith(genuine()).replace(timestamp, `${timestamp}000`);
    expect((await check({ headers: inMilliseconds })).text).toContain('it may be in milliseconds');
    const date = headersWith(genuine()).replace(timestamp, '2026-11-21T10:00:00Z');
    expect((await check({ headers: date })).failed).toContain('Timestamp is a number of seconds');
  });
});

describe('promise 39: usual mistakes are named', () => {
  const digest = (key: string | Buffer, message: string) => `v1=${sign(key, message).toString('hex')}`;
  const data = (): unknown => JSON.parse(body);
  const secret = () => subscription.secret;

  const inBody: [string, () => string, RegExp][] = [
    ['a line break after it', () => `${body}\n`, /ends in a line break/],
    ['a CRLF after it', () => `${body}\r\n`, /ends in a line break/],
    ['spaces around it', () => ` ${body} `, /spaces or a byte order mark/],
    ['JSON written again, indented', () => JSON.stringify(data(), null, 2), /parsed and written again/],
    [
      'JSON written again, its names sorted',
      () =>
        JSON.stringify(
          data(),
          Object.keys(Object(data()))
            .concat([
              'application_id',
              'customer',
              'sub',
              'email',
              'email_verified',
              'name',
              'kind',
              'amount',
              'currency',
              'status',
            ])
            .sort(),
        ),
      /parsed and written again/,
    ],
    [
      'another character',
      () => body.replace('Zoë', 'Zoe'),
      /differs from what was sent at character \d+: sent was “ë/,
    ],
    ['its end cut off', () => body.slice(0, -2), /pasted is nothing more/],
    ['nothing', () => '', /There is no body/],
  ];
  test.each(inBody)('a body with %s', async (_name, pasted, sentence) => {
    const { failed, text } = await check({ body: pasted() });
    expect(failed).toContain('Body is exact');
    expect(text).toMatch(sentence);
  });

  const inSignature: [string, () => string, RegExp, string][] = [
    ['upper case', () => genuine().toUpperCase().replace('V1', 'v1'), /upper case/, 'Lower-case hex'],
    ['no label', () => genuine().slice(3), /must begin with v1=/, 'Label v1='],
    ['another label', () => genuine().replace('v1', 'sha256'), /not with sha256=/, 'Label v1='],
    [
      'base64',
      () => `v1=${sign(secret(), `${timestamp}.${body}`).toString('base64')}`,
      /in base64/,
      'Lower-case hex',
    ],
    ['no digest', () => 'v1=hello', /no digest/, 'Lower-case hex'],
    [
      'the secret without its prefix',
      () => digest(secret().slice(6), `${timestamp}.${body}`),
      /without “whsec_”/,
      'Signature is the right one',
    ],
    [
      'the secret decoded',
      () => digest(Buffer.from(secret().slice(6), 'base64url'), `${timestamp}.${body}`),
      /decoded from base64/,
      'Signature is the right one',
    ],
    [
      'a line break after the secret',
      () => digest(`${secret()}\n`, `${timestamp}.${body}`),
      /followed by a line break/,
      'Signature is the right one',
    ],
    [
      'covers only the body',
      () => digest(secret(), body),
      /covers only the body/,
      'Signature is the right one',
    ],
    [
      'no dot',
      () => digest(secret(), timestamp + body),
      /dot between timestamp and body/,
      'Signature is the right one',
    ],
    [
      'the id as well',
      () => digest(secret(), `${eventId}.${timestamp}.${body}`),
      /Leave out the id/,
      'Signature is the right one',
    ],
    [
      'CRLF appended to the body',
      () => digest(secret(), `${timestamp}.${body}\r\n`),
      /CRLF/,
      'Body is exact',
    ],
    [
      'JSON as Python writes it',
      () => {
        const spaced = JSON.stringify(data(), null, 1)
          .replace(/,\n\s*/g, ', ')
          .replace(/\n\s*/g, '');
        return digest(secret(), `${timestamp}.${spaced.replace('ë', '\\u00eb')}`);
      },
      /Python/,
      'Body is exact',
    ],
    [
      'JSON as PHP writes it',
      () => digest(secret(), `${timestamp}.${body.replace('ë', '\\u00eb').replaceAll('/', '\\/')}`),
      /PHP/,
      'Body is exact',
    ],
    ['nonsense', () => `v1=${'0'.repeat(64)}`, /None of the usual mistakes/, 'Signature is the right one'],
  ];
  test.each(inSignature)('a signature with %s', async (_name, signature, sentence, check6) => {
    const { failed, text } = await check({ headers: headersWith(signature()) });
    expect(failed).toContain(check6);
    expect(text).toMatch(sentence);
  });

  test('two mistakes at once are both named', async () => {
    const wrong = digest(secret().slice(6), JSON.stringify(data(), null, 2));
    const { text } = await check({ headers: headersWith(wrong) });
    expect(text).toMatch(/without “whsec_”/);
    expect(text).toMatch(/covers only the body/);
    expect(text).toMatch(/indentation of two/);
  });

  test('what a developer’s own code computed is explained beside a genuine request', async () => {
    const computed = sign(secret().slice(6), body).toString('base64');
    const { failed, text } = await check({ computed });
    expect(failed).toEqual(['What your code computed']);
    expect(text).toMatch(/computed: .*covers only the body.*label v1= is missing.*base64/);
    expect((await check({ computed: genuine() })).failed).toEqual([]);
  });

  test('the secret of another subscription of the workspace is recognised, another workspace’s is not', async () => {
    const sibling = await subscribe(db(), company, 'https://localhost:4443/staging');
    const { text } = await check({ headers: headersWith(digest(sibling.secret, `${timestamp}.${body}`)) });
    expect(text).toContain('another subscription of this workspace: https://localhost:4443/staging');
    const stranger = await subscribe(db(), await createCompany(db()), 'https://localhost:4443/other');
    const foreign = await check({ headers: headersWith(digest(stranger.secret, `${timestamp}.${body}`)) });
    expect(foreign.text).toContain('None of the usual mistakes');
    await expect(check({ subscriptionId: stranger.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('during and after a rotation the next and the previous secret are recognised', async () => {
    const { workspaceId } = company;
    const old = secret();
    const oldSignature = headersWith(genuine());
    const rotation = { keys, workspaceId, subscriptionId: subscription.id, now: START };
    const { secret: next } = await transaction(db(), (tx) => rotateSecret(tx, rotation));
    const early = await check({ headers: headersWith(digest(next, `${timestamp}.${body}`)) });
    expect(early.text).toMatch(/next secret, which takes over on 2026-11-22 10:00 UTC/);
    // Signed while the old secret was right, pasted after the new one took over.
    const later = new Date(START.getTime() + 25 * 3_600_000);
    expect((await check({ headers: oldSignature, now: later })).failed).toEqual([]);
    const stale = String(later.getTime() / 1000);
    const headers = headersWith(digest(old, `${stale}.${body}`)).replace(timestamp, stale);
    const { failed, text } = await check({ headers, now: later });
    expect(failed).toEqual(['Signature is the right one']);
    expect(text).toMatch(/previous secret, which was replaced on 2026-11-22 10:00 UTC/);
    await db()
      .update(webhookSubscriptions)
      .set({ sealedNextSecret: null, nextSecretAt: null })
      .where(eq(webhookSubscriptions.id, subscription.id));
  });
});
