// docs/webhooks.md is executed: its example webhook verifies with its own shell line, Node.js and Python code.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const SECRET = 'whsec_example';

let page: string;
let folder: string;

beforeAll(async () => {
  page = await readFile(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'webhooks-documentation-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function block(language: string, marker: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
  const found = blocks.find((code) => code.includes(marker));
  if (!found) throw new Error(`no ${language} block with ${marker}`);
  return found;
}

function example() {
  const [head = '', body = ''] = block('http', 'POST').trimEnd().split('\n\n');
  const headers = Object.fromEntries(
    head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ', 2)),
  );
  return {
    body,
    headers,
    timestamp: String(headers['x-service-webhook-timestamp']),
    signature: String(headers['x-service-webhook-signature']),
  };
}

test('the example is a body of the documented shape, written when its timestamp says', () => {
  const { body, timestamp, headers } = example();
  const event = JSON.parse(body);
  expect(event.id).toBe(headers['x-service-webhook-id']);
  expect(Object.keys(event.data)).toEqual([
    'application_id',
    'customer',
    'kind',
    'amount',
    'currency',
    'status',
  ]);
  expect(Date.parse(event.created_at) / 1000).toBe(Number(timestamp));
});

test('the openssl one-liner gives the signature', async () => {
  const { body, timestamp, signature } = example();
  await writeFile(join(folder, 'body.json'), body);
  const env = { PATH: process.env.PATH, TIMESTAMP: timestamp, SECRET };
  expect(
    execFileSync('sh', ['-c', block('sh', 'openssl')], { cwd: folder, env, encoding: 'utf8' }).trim(),
  ).toBe(signature);
});

test('the Node.js code accepts the genuine and refuses the changed and the old', async () => {
  const file = join(folder, 'verify.mjs');
  await writeFile(file, block('js', 'isGenuine'));
  const script = `
    import { isGenuine } from ${JSON.stringify(pathToFileURL(file).href)};
    const { headers, body, secret } = JSON.parse(process.argv[1]);
    const at = (seconds) => { Date.now = () => (Number(headers['x-service-webhook-timestamp']) + seconds) * 1000; };
    const results = [];
    at(0); results.push(isGenuine(headers, Buffer.from(body), secret));
    results.push(isGenuine(headers, Buffer.from(body + ' '), secret), isGenuine(headers, Buffer.from(body), secret + 'x'), isGenuine({}, Buffer.from(body), secret));
    at(301); results.push(isGenuine(headers, Buffer.from(body), secret));
    console.log(JSON.stringify(results));`;
  const input = JSON.stringify({ ...example(), secret: SECRET });
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, input], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([true, false, false, false, false]);
});

test('the Python code accepts the genuine and refuses the changed and the old', async () => {
  if (!hasPython()) return;
  const script = `${block('python', 'is_genuine')}
import json, sys
given = json.loads(sys.argv[1])
headers, body, secret = given["headers"], given["body"].encode(), given["secret"]
now = int(headers["x-service-webhook-timestamp"])
time.time = lambda: now
results = [is_genuine(headers, body, secret), is_genuine(headers, body + b" ", secret), is_genuine(headers, body, secret + "x"), is_genuine({}, body, secret)]
time.time = lambda: now + 301
print(json.dumps(results + [is_genuine(headers, body, secret)]))`;
  const input = JSON.stringify({ ...example(), secret: SECRET });
  const output = execFileSync('python3', ['-c', script, input], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([true, false, false, false, false]);
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
