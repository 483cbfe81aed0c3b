// The API reference at {api_base_url}/docs (promise 56): whole, linked in itself, light, and its examples are programs that
// work. They are taken off the page as it is served and run against the service that served it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import {
  customerPageSchema,
  errorSchema,
  eventPageSchema,
  webhookEventPageSchema,
  webhookSchemas,
} from '../../src/api/schemas.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { hasChromium } from '../harness/chromium.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { type Lab, openLab } from '../hosted-pages/lab.ts';
import { looks, settingsWatch } from '../settings/looks.ts';
import { createVisits } from '../webhooks/sessions.ts';

const run = promisify(execFile);
const PAGE_KILOBYTES = 20;

let service: TestTollgate;
let application: RegisteredApplication;
let apiKey: string;
let html: string;
let folder: string;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  const visits = createVisits(service.tollgate.connection);
  const { account } = await visits.newcomer(application.id);
  await visits.visit(application.id, account.id);
  const key = { workspaceId: service.workspace.id, name: 'reader', scopes: ['identity:read'] };
  apiKey = (await createApiKey(service.db, { ...key, now: new Date() })).key;
  html = await read('');
  folder = await mkdtemp(join(tmpdir(), 'tollgate-reference-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function read(query: string): Promise<string> {
  const answer = await fetch(`${service.url}/v1/docs${query}`, { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  return answer.text();
}

const pages: Record<string, z.ZodObject> = {
  listCustomers: customerPageSchema,
  listEvents: eventPageSchema,
  waitForWebhookEvents: webhookEventPageSchema,
};
const webhooks = Object.entries(webhookSchemas);

function text(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function sample(operation: string, language: string): string {
  const [, markup = ''] =
    new RegExp(`id="${operation}-${language}".*?<pre[^>]*>(.*?)</pre>`, 's').exec(html) ?? [];
  return text(markup);
}

function exampleBody(operation: string): unknown {
  const [, markup = ''] =
    new RegExp(`aria-label="(?:Answer|Body) of ${operation}".*?<pre[^>]*>(.*?)</pre>`, 's').exec(html) ?? [];
  return JSON.parse(text(markup));
}

/** The command of a language with the program in a file; undefined: this machine has not got it. */
const languages: Record<
  string,
  { file: string; command: (path: string) => [string, string[]]; version: string[] }
> = {
  shell: { file: 'call.sh', command: (path) => ['sh', [path]], version: ['curl', '--version'] },
  javascript: {
    file: 'call.mjs',
    command: (path) => [process.execPath, [path]],
    version: [process.execPath, '-v'],
  },
  python: { file: 'call.py', command: (path) => ['python3', [path]], version: ['python3', '--version'] },
  go: { file: 'call.go', command: (path) => ['go', ['run', path]], version: ['go', 'version'] },
};

async function has([program = '', ...words]: string[]): Promise<boolean> {
  return run(program, words).then(
    () => true,
    () => false,
  );
}

async function runSample(operation: string, language: string, key: string) {
  const kind = languages[language];
  if (!kind) throw new Error(`no language ${language}`);
  const path = join(folder, `${operation}-${kind.file}`);
  await writeFile(path, sample(operation, language));
  const [program, words] = kind.command(path);
  const { PATH, HOME = folder } = process.env;
  // Go keeps what it compiled in the developer's own folder.
  const env = { PATH, HOME, API_KEY: key, APPLICATION_ID: application.id };
  return run(program, words, { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  );
}

describe('the examples', () => {
  for (const [language, { version }] of Object.entries(languages))
    for (const [operation, schema] of Object.entries(pages))
      test(`${operation} in ${language} answers what is documented`, async () => {
        expect(sample(operation, language)).toContain(service.url);
        if (!(await has(version))) return;
        const { code, stdout, stderr } = await runSample(operation, language, apiKey);
        expect({ code, stderr: language === 'shell' ? '' : stderr }).toEqual({ code: 0, stderr: '' });
        const answer = schema.strict().parse(JSON.parse(stdout));
        if (operation !== 'waitForWebhookEvents') expect(answer.data).not.toEqual([]);
      });

  test('with a wrong key they end with the documented error', async () => {
    for (const language of Object.keys(languages)) {
      if (!(await has(languages[language]?.version ?? []))) continue;
      const { code, stdout, stderr } = await runSample('listCustomers', language, 'tollgate_v1_wrong');
      // curl shows the answer; the programs refuse it.
      expect([language, code === 0]).toEqual([language, language === 'shell']);
      expect(stdout + stderr).toMatch(/401|invalid_token/);
    }
  });

  test('every answer, error and webhook that is shown is a valid one', () => {
    for (const [operation, schema] of Object.entries(pages)) schema.strict().parse(exampleBody(operation));
    for (const [type, schema] of webhooks) {
      const body = schema.parse(exampleBody(type.replaceAll('.', '-')));
      expect(body.data.kind).toBe(type.includes('registration') ? 'registration' : 'sign_in');
    }
    const errors = [...html.matchAll(/<h3 id="error-(\w+)">.*?<pre[^>]*>(.*?)<\/pre>/gs)];
    expect(errors).toHaveLength(7);
    for (const [, code, body = ''] of errors)
      expect(errorSchema.strict().parse(JSON.parse(text(body))).error).toBe(code);
  });

  test('the errors are what the service says', async () => {
    const said = async (path: string, init: RequestInit = {}, key = apiKey) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${service.url}/v1${path}`, { headers, ...init })).text();
    };
    const bare = { workspaceId: service.workspace.id, name: 'bare', scopes: [], now: new Date() };
    const { key: scopeless } = await createApiKey(service.db, bare);
    const list = `/applications/${application.id}/customers`;
    const errors = [...html.matchAll(/<h3 id="error-(\w+)">.*?<pre[^>]*>(.*?)<\/pre>/gs)];
    const shown = Object.fromEntries(
      errors.map(([, code = '', body = '']) => [code, JSON.parse(text(body))]),
    );
    expect(JSON.parse(await said(`${list}?limit=0`))).toEqual(shown.invalid_request);
    expect(JSON.parse(await said(list, {}, 'wrong'))).toEqual(shown.invalid_token);
    expect(JSON.parse(await said(list, {}, scopeless))).toEqual(shown.insufficient_scope);
    expect(JSON.parse(await said('/applications/app_unknown/customers'))).toEqual(shown.not_found);
    expect(JSON.parse(await said(list, { method: 'DELETE' }))).toEqual(shown.method_not_allowed);
  });
});

describe('the page', () => {
  test('has a section with an anchor for each call, error and webhook, and every link inside it leads there', async () => {
    const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const wanted = [...Object.keys(pages), ...webhooks.map(([type]) => type.replaceAll('.', '-'))];
    for (const id of ['authentication', 'pages', 'errors', ...wanted]) expect(anchors).toContain(id);
    const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.filter((href) => href.startsWith('#') && !anchors.has(href.slice(1)))).toEqual([]);
    for (const href of new Set(links.filter((each) => !each.startsWith('#')))) {
      const headers = { accept: 'text/html' };
      const answer = await fetch(new URL(href, service.url), { headers, redirect: 'manual' });
      // Company settings lead to the sign-in.
      expect([href, [200, 303].includes(answer.status)]).toEqual([href, true]);
    }
  });

  test('the field narrows it to the sections with all of the words, without script', async () => {
    const narrowed = await read('?q=WAIT%20cursor');
    expect(narrowed).toContain('id="waitForWebhookEvents"');
    expect(narrowed).not.toContain('id="listCustomers"');
    expect(narrowed).toContain('Show all');
    const hostile = '"><script>alert(1)</script>';
    const none = await read(`?q=${encodeURIComponent(hostile)}`);
    expect(none).toContain('Nothing was found');
    expect(none).not.toContain('<script>alert');
    await read(`?q=${'a'.repeat(5_000)}`);
  });

  test('is light, strict and nothing that anybody keeps', async () => {
    const answer = await fetch(`${service.url}/v1/docs`);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect(html).not.toMatch(/style=|onclick|<script>/);
    expect(gzipSync(html).length / 1024).toBeLessThan(PAGE_KILOBYTES);
  });
});

const inChromium = (await hasChromium()) ? test : test.skip;

describe('in a browser', () => {
  let lab: Lab;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openLab();
  });
  afterEach(() => watch.end());
  afterAll(() => lab.stop());

  for (const look of looks)
    inChromium(`${look.name}: no finding of axe, nothing sideways, and all by keyboard`, async () => {
      const person = watch.add(await lab.person(look.options));
      for (const query of ['', '?q=cursor', '?q=zebrafish']) {
        await person.page.goto(`${lab.service.url}/v1/docs${query}`);
        await watch.look(person, look, `reference${query.replaceAll(/\W/g, '-')}`);
      }
      await person.page.goto(`${lab.service.url}/v1/docs`);
      const python = person.page.locator('#listCustomers-python');
      await python.locator('summary').focus();
      await person.page.keyboard.press('Enter');
      expect(await python.getAttribute('open')).not.toBeNull();
      // One of a call's languages is open at a time.
      expect(await person.page.locator('#listCustomers-shell').getAttribute('open')).toBeNull();
    });
});
