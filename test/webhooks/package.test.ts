// Receivers that integrators take from us, on what the sender really sends: the package @tollgate/webhooks as it is
// published, and the one-file versions in Python, PHP and Go where the machine has the language.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyWebhook } from '../../packages/webhooks/src/webhooks.ts';
import { renderTypes, typesFile } from '../../scripts/webhook-types.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { rotateSecret } from '../../src/webhooks/signing-secret.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { findPython } from '../harness/python.ts';
import {
  createCompany,
  createTestWorker,
  createTimetable,
  emit,
  eventOf,
  keys,
  subscribe,
} from './company.ts';
import { createAuthority, issueCertificate, type Received, type Sink, startSink } from './sink.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

let database: TestDatabase;
let db: Database;
let sink: Sink;
let caCert: string;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
  const authority = await createAuthority();
  caCert = authority.cert;
  sink = await startSink({ certificate: await issueCertificate({ authority }) });
  folder = await mkdtemp(join(tmpdir(), 'webhooks-package-'));
});
afterAll(async () => {
  await sink.close();
  await database.remove();
  await rm(folder, { recursive: true });
});

type Deliveries = Record<'fresh' | 'rotating' | 'old' | 'early', Received> & { secret: string; next: string };

/** Sent by the sender itself, at four times of its clock; what is fresh stays so for five minutes. */
async function deliver(): Promise<Deliveries> {
  const company = await createCompany(db);
  const { id: subscriptionId, secret } = await subscribe(db, company, sink.url);
  const timetable = createTimetable(new Date());
  const { runDue } = createTestWorker(db, timetable, { caCert });
  const now = timetable.now.getTime();
  const send = async (offsetSeconds: number) => {
    timetable.now = new Date(now + offsetSeconds * 1000);
    const id = await emit(
      db,
      eventOf(company, { type: 'identity.login.completed.v1' }),
      new Date(now - 900_000),
    );
    await runDue();
    const received = sink.received.find(({ headers }) => headers['x-service-webhook-id'] === id);
    if (!received) throw new Error('nothing was sent');
    return received;
  };
  const [fresh, old, early] = [await send(0), await send(-400), await send(700)];
  const { workspaceId } = company;
  const { secret: next } = await transaction(db, (tx) =>
    rotateSecret(tx, { keys, workspaceId, subscriptionId, now: new Date(now) }),
  );
  return { fresh, old, early, rotating: await send(0), secret, next };
}

type Case = {
  name: string;
  headers: Record<string, string>;
  body: string;
  secrets: string[];
  isGenuine: boolean;
};

function casesOf({ fresh, old, early, rotating, secret, next }: Deliveries): Case[] {
  const of = (received: Received, changes: Partial<Case> & { name: string; isGenuine: boolean }): Case => ({
    headers: received.headers,
    body: received.body.toString('latin1'),
    secrets: [secret],
    ...changes,
  });
  const body = fresh.body.toString('latin1');
  const header = (name: string, value: string) => ({ ...fresh.headers, [name]: value });
  const signature = fresh.headers['x-service-webhook-signature'] ?? '';
  const { 'x-service-webhook-timestamp': timestamp = '', ...withoutTimestamp } = fresh.headers;
  const later = String(Number(timestamp) + 1);
  return [
    of(fresh, { name: 'a genuine one', isGenuine: true }),
    of(fresh, { name: 'one of two secrets', secrets: ['whsec_other', secret], isGenuine: true }),
    of(rotating, { name: 'the old secret during a change', isGenuine: true }),
    of(rotating, { name: 'the new secret during a change', secrets: [next], isGenuine: true }),
    of(fresh, { name: 'the new secret before', secrets: [next], isGenuine: false }),
    of(fresh, { name: 'another secret', secrets: [`${secret}x`], isGenuine: false }),
    of(fresh, { name: 'no secret', secrets: [''], isGenuine: false }),
    of(fresh, { name: 'a changed body', body: body.replace('0.05', '0.06'), isGenuine: false }),
    of(fresh, { name: 'a line break more', body: `${body}\n`, isGenuine: false }),
    of(old, { name: 'an old one', isGenuine: false }),
    of(early, { name: 'one of the future', isGenuine: false }),
    of(fresh, { name: 'no timestamp', headers: withoutTimestamp, isGenuine: false }),
    of(fresh, {
      name: 'another time',
      headers: header('x-service-webhook-timestamp', later),
      isGenuine: false,
    }),
    of(fresh, {
      name: 'no number',
      headers: header('x-service-webhook-timestamp', `${timestamp}.0`),
      isGenuine: false,
    }),
    of(fresh, { name: 'no signature', headers: header('x-service-webhook-signature', ''), isGenuine: false }),
    of(fresh, {
      name: 'upper case',
      headers: header('x-service-webhook-signature', signature.toUpperCase()),
      isGenuine: false,
    }),
    of(fresh, {
      name: 'no label',
      headers: header('x-service-webhook-signature', signature.slice(3)),
      isGenuine: false,
    }),
  ];
}

/** The program reads the cases as a file and prints, for each, the id of its event or null. */
async function judge(
  command: string,
  input: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const cases = casesOf(await deliver());
  const file = join(folder, 'cases.json');
  await writeFile(file, JSON.stringify(cases));
  const { stdout } = await run(command, [...input, file], options);
  const seen: unknown[] = JSON.parse(stdout);
  const idOf = ({ headers }: Case) => headers['x-service-webhook-id'];
  expect(cases.map(({ name }, index) => ({ name, id: seen[index] }))).toEqual(
    cases.map((each) => ({ name: each.name, id: each.isGenuine ? idOf(each) : null })),
  );
}

describe('@tollgate/webhooks', () => {
  let published: string;

  beforeAll(async () => {
    published = join(folder, 'published');
    await run('npx', ['tsc', '-p', 'packages/webhooks/tsconfig.json', '--outDir', join(published, 'dist')], {
      cwd: root,
    });
    for (const file of ['package.json', 'README.md', 'LICENSE'])
      await cp(join(root, 'packages/webhooks', file), join(published, file));
  });

  test('as it is published, takes what was sent and nothing else', async () => {
    const modules = join(folder, 'node_modules/@tollgate');
    await mkdir(modules, { recursive: true });
    await cp(published, join(modules, 'webhooks'), { recursive: true });
    const program = join(folder, 'program.mjs');
    await writeFile(
      program,
      `import { readFileSync } from 'node:fs';
       import { verifyWebhook, WebhookVerificationError } from '@tollgate/webhooks';
       const ids = [];
       for (const { headers, body, secrets } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
         const refused = (error) => { if (!(error instanceof WebhookVerificationError)) throw error; return { id: null }; };
         const bytes = Buffer.from(body, 'latin1');
         const asRequest = new Request('https://shop.example/webhooks', { method: 'POST', headers, body: bytes });
         const { id } = await verifyWebhook(asRequest, secrets).catch(refused);
         const asParts = await verifyWebhook({ headers, body: bytes }, secrets).catch(refused);
         if (asParts.id !== id) throw new Error('the two ways differ');
         ids.push(id);
       }
       console.log(JSON.stringify(ids));`,
    );
    await judge(process.execPath, [program]);
  });

  test('packs its code, types, README and license, and depends on nothing', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: published,
    });
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
    expect(files.map(({ path }) => path).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/types.d.ts',
      'dist/types.js',
      'dist/webhooks.d.ts',
      'dist/webhooks.js',
      'package.json',
    ]);
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(published, 'package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    expect(await readFile(join(published, 'dist/webhooks.js'), 'utf8')).not.toMatch(
      /node:|\bBuffer\b|process\./,
    );
  });

  test.each([
    [
      'as a folder that the build has filled, as the quickstarts name it',
      async () => join(root, 'packages/webhooks'),
    ],
    [
      'packed into one file',
      async (own: string) => {
        const packed = await run('npm', ['pack', '--silent', join(root, 'packages/webhooks')], { cwd: own });
        return `./${packed.stdout.trim()}`;
      },
    ],
  ])('an own project installs it from a clone, %s, with no registry', async (_name, sourceIn) => {
    const own = await mkdtemp(join(folder, 'own-'));
    await writeFile(join(own, 'package.json'), '{ "private": true, "type": "module" }');
    const offline = ['--offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...offline, await sourceIn(own)], { cwd: own });
    await writeFile(
      join(own, 'program.js'),
      `import { verifyWebhook } from '@tollgate/webhooks'; console.log(typeof verifyWebhook);`,
    );
    expect((await run(process.execPath, ['program.js'], { cwd: own })).stdout).toBe('function\n');
  });

  test('the quickstarts take it from this repository, because no registry has it', async () => {
    for (const stack of ['node', 'next']) {
      const quickstart = join(root, 'examples/quickstarts', stack);
      const { dependencies } = JSON.parse(await readFile(join(quickstart, 'package.json'), 'utf8'));
      const [, path = ''] = /^file:(.+)$/.exec(dependencies['@tollgate/webhooks']) ?? [];
      expect(resolve(quickstart, path)).toBe(join(root, 'packages/webhooks'));
    }
  });

  test('has the types of the schemas that shape webhooks and answers', async () => {
    // If this fails: npm run webhook-types
    expect(await readFile(typesFile, 'utf8')).toBe(renderTypes());
  });

  test('the typed event tells a registration from a sign-in, and refuses with a code', async () => {
    const { fresh, secret } = await deliver();
    const received = { headers: fresh.headers, body: new Uint8Array(fresh.body) };
    const event = await verifyWebhook(received, secret);
    const kind: 'registration' | 'sign_in' = event.data.kind;
    expect({ type: event.type, kind }).toEqual({ type: 'identity.login.completed.v1', kind: 'registration' });
    await expect(verifyWebhook(received, undefined)).rejects.toMatchObject({ code: 'no_secret' });
    await expect(verifyWebhook({ ...received, headers: {} }, secret)).rejects.toMatchObject({
      code: 'header_missing',
    });
    await expect(verifyWebhook(received, 'whsec_other')).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
    const large = { ...received, body: new Uint8Array(300 * 1024) };
    await expect(verifyWebhook(large, secret)).rejects.toMatchObject({ code: 'body_too_large' });
    const parsed = { headers: fresh.headers, body: JSON.parse(String(fresh.body)) };
    await expect(verifyWebhook(parsed, secret)).rejects.toThrow('raw body');
  });
});

/** The languages of this machine; a test of the others would only say that they are not installed. */
async function languageTest(
  name: string,
  [command, ...input]: [string, ...string[]],
  check: () => Promise<void>,
) {
  const isHere = await run(command, input).then(
    () => true,
    () => false,
  );
  // Go compiles its own library the first time.
  (isHere ? test : test.skip)(`${name}: one file takes what was sent and nothing else`, check, 600_000);
}

const python = findPython();
await languageTest('Python', [python, '--version'], async () => {
  const program = `
import json, sys
from tollgate_webhooks import Customer, Data, WebhookEvent, WebhookVerificationError, verify_webhook
def judge(case):
    try:
        event = verify_webhook(case["headers"], case["body"].encode("latin1"), case["secrets"])
    except WebhookVerificationError:
        return None
    assert set(event) == set(WebhookEvent.__annotations__)
    assert set(event["data"]) | {"test"} == set(Data.__annotations__)
    assert set(event["data"]["customer"]) == set(Customer.__annotations__)
    return event["id"]
print(json.dumps([judge(case) for case in json.load(open(sys.argv[1]))]))`;
  const env = {
    ...process.env,
    PYTHONPATH: join(root, 'examples/webhooks/python'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  await judge(python, ['-c', program], { env });
});

const php = process.env.PHP ?? 'php';
await languageTest('PHP', [php, '--version'], async () => {
  const file = join(root, 'examples/webhooks/php/tollgate_webhooks.php');
  const program = join(folder, 'judge.php');
  await writeFile(
    program,
    `<?php require ${JSON.stringify(file)};
     $judge = function (array $case) {
       try {
         $body = mb_convert_encoding($case['body'], 'ISO-8859-1', 'UTF-8');
         return Tollgate\\verifyWebhook($case['headers'], $body, $case['secrets'])['id'];
       } catch (Tollgate\\WebhookVerificationError) {
         return null;
       }
     };
     echo json_encode(array_map($judge, json_decode(file_get_contents($argv[1]), true)));`,
  );
  await judge(php, [program]);
});

const go = process.env.GO ?? 'go';
await languageTest('Go', [go, 'version'], async () => {
  const module = join(folder, 'go');
  await mkdir(join(module, 'tollgatewebhooks'), { recursive: true });
  await cp(
    join(root, 'examples/webhooks/go/tollgate_webhooks.go'),
    join(module, 'tollgatewebhooks/webhooks.go'),
  );
  await writeFile(join(module, 'go.mod'), 'module judge\n\ngo 1.21\n');
  await writeFile(
    join(module, 'main.go'),
    `package main
import ("bytes"; "encoding/json"; "os"; "judge/tollgatewebhooks")
type headers map[string]string
func (each headers) Get(name string) string { return each[name] }
func main() {
  var cases []struct { Headers headers; Body string; Secrets []string }
  text, _ := os.ReadFile(os.Args[1])
  if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
  ids := make([]*string, len(cases))
  for index, each := range cases {
    body := []byte{}
    for _, letter := range each.Body { body = append(body, byte(letter)) }
    event, err := tollgatewebhooks.Verify(each.Headers, body, each.Secrets...)
    if err != nil { continue }
    strict := json.NewDecoder(bytes.NewReader(body))
    strict.DisallowUnknownFields()
    if err := strict.Decode(&tollgatewebhooks.Event{}); err != nil { panic(err) }
    ids[index] = &event.ID
  }
  answer, _ := json.Marshal(ids)
  _, _ = os.Stdout.Write(answer)
}
`,
  );
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  await run(go, ['build', '-o', 'judge', '.'], { cwd: module, env });
  await judge(join(module, 'judge'), []);
});
