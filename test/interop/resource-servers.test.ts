// The programs of examples/resource-servers, which docs/apis.md gives for an API (threat 165): each started as it stands, and
// shown every token that it must and must not take. Without Go, or Python with PyJWT, those are skipped.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPair } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { freePort } from '../harness/free-port.ts';
import { findPython } from '../harness/python.ts';
import { ORDERS, registerResource } from '../harness/resource.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, '../../examples/resource-servers');
const OTHER = 'https://api.acme.test/other';

let service: TestTollgate;
let job: RegisteredApplication;
const started: ChildProcess[] = [];
beforeAll(async () => {
  service = await startTollgate();
  job = await service.register({ isService: true, redirectUris: [] });
  const ofJob = { workspaceId: job.workspaceId, askingIds: [job.id] };
  await registerResource(service.db, ofJob);
  await registerResource(service.db, { ...ofJob, identifier: OTHER });
  await registerResource(service.db, { ...ofJob, identifier: `${OTHER}/opaque`, tokenFormat: 'opaque' });
});
afterAll(async () => {
  for (const child of started) child.kill();
  await rm(dirname(goProgram), { recursive: true, force: true });
  await service?.stop();
});

async function works(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

const go = process.env.GO ?? 'go';
const python = findPython();
const hasGo = process.env.GO_QUICKSTART !== undefined && (await works(go, ['version']));
// Debian 12's is older than the example asks for.
const hasPyJwt = await works(python, [
  '-c',
  'import cryptography; from jwt import PyJWKClientConnectionError',
]);
const goProgram = join(await mkdtemp(join(tmpdir(), 'tollgate-go-')), 'orders');
const programs: { name: string; isHere: boolean; command: string; args: string[]; prepare?: string[] }[] = [
  { name: 'Node', isHere: true, command: process.execPath, args: ['node/server.mjs'] },
  { name: 'Python', isHere: hasPyJwt, command: python, args: ['python/server.py'] },
  {
    name: 'Go',
    isHere: hasGo,
    command: goProgram,
    args: [],
    prepare: ['build', '-o', goProgram, join(folder, 'go/main.go')],
  },
];

async function token(resource: string, scope: string): Promise<string> {
  const { clientId, clientSecret = '' } = job;
  const answer = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const { access_token: value } = await answer.json();
  return String(value);
}

/** By somebody else, under the name of our key. */
async function forged(kid: string, typ: string, alg: 'RS256' | 'HS256'): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwt = new SignJWT({ client_id: 'client_1', scope: 'orders:read' })
    .setProtectedHeader({ alg, typ, kid })
    .setIssuer(service.url)
    .setAudience(ORDERS)
    .setSubject('somebody')
    .setIssuedAt()
    .setExpirationTime('5m');
  return jwt.sign(alg === 'RS256' ? privateKey : new TextEncoder().encode('k'.repeat(32)));
}

function unsigned(value: string): string {
  const [, payload = ''] = value.split('.');
  return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
}

describe.each(programs)('$name', ({ isHere, command, args, prepare }) => {
  (isHere ? test : test.skip)(
    'takes its own tokens, and no others',
    async () => {
      const port = await freePort();
      const environment = { TOLLGATE_ISSUER: service.url, API_IDENTIFIER: ORDERS, PORT: String(port) };
      if (prepare) await run(go, prepare);
      const files = args.map((file) => join(folder, file));
      const child = spawn(command, files, { env: { ...process.env, ...environment }, stdio: 'ignore' });
      started.push(child);
      const call = (authorization?: string) =>
        fetch(`http://127.0.0.1:${port}/`, { headers: authorization ? { authorization } : {} });
      await until(
        'the API answers',
        () =>
          call().then(
            (answer) => answer.status === 401,
            () => undefined,
          ),
        {
          seconds: 90,
        },
      );

      const good = await token(ORDERS, 'orders:read');
      const taken = await call(`Bearer ${good}`);
      expect(taken.status).toBe(200);
      expect(await taken.json()).toEqual({ orders: [], of: job.clientId, through: job.clientId });
      const narrow = await call(`Bearer ${await token(ORDERS, 'orders:write')}`);
      expect([narrow.status, narrow.headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="orders:read"',
      ]);
      const { kid = '' } = decodeProtectedHeader(good);
      const [head, payload, signature = ''] = good.split('.');
      const refused = {
        'of another API': await token(OTHER, 'orders:read'),
        opaque: await token(`${OTHER}/opaque`, 'orders:read'),
        changed: `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        unsigned: unsigned(good),
        'by somebody else': await forged(kid, 'at+jwt', 'RS256'),
        'by a shared key': await forged(kid, 'at+jwt', 'HS256'),
        'of an unknown key': await forged('nobody', 'at+jwt', 'RS256'),
        'no token': 'x',
      };
      for (const [what, value] of Object.entries(refused)) {
        const { status, headers } = await call(`Bearer ${value}`);
        expect([what, status, headers.get('www-authenticate')]).toEqual([
          what,
          401,
          'Bearer error="invalid_token"',
        ]);
      }
      child.kill();
    },
    120_000,
  );
});
