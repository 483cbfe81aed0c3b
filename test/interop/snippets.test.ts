// The code that company settings show runs as it is shown (promise 8): each snippet is filled with the values of
// a real application, started, and signs a person in. Docs/clients.md says which languages a machine without them skips.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, type Plugin } from 'esbuild';
import { makeCertificate } from '../../examples/certificate.ts';
import {
  fillSnippet,
  type StackName,
  snippetSource,
  stacks,
} from '../../src/settings/applications/snippets.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium, launchChromium, signInOnPages } from '../harness/chromium.ts';
import { freePort } from '../harness/free-port.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
/** Within the repository, so that the snippets find its packages. */
const folder = join(root, 'test-output/snippets');
const callback = 'https://shop.example.test/signed-in';

let service: TestTollgate;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  service = await startTollgate();
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  for (const started of processes) started.kill();
  await service.stop();
});

/** The text of the page, in a file of its own. */
async function write(stack: StackName, { clientId }: RegisteredApplication, file: string, uri = callback) {
  const path = join(folder, file);
  await writeFile(path, fillSnippet(stack, { issuer: service.url, clientId, callback: uri }));
  return path;
}

/** A backend behind a proxy that ends TLS: it hears plain http, and its cookies are taken along by hand. */
async function startBackend(command: string, file: string, application: RegisteredApplication) {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    SESSION_SECRET: 'a secret of the application',
    TOLLGATE_CLIENT_SECRET: application.clientSecret,
    // Authlib refuses plain http otherwise, which only this test uses.
    AUTHLIB_INSECURE_TRANSPORT: '1',
  };
  const started = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  processes.push(started);
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => (said += String(data)));
  const cookies = new Map<string, string>();
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      expect(line).toMatch(/HttpOnly/i);
      expect(line).toMatch(/Secure/i);
      cookies.set(name, value);
    }
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text: await answer.text(),
    };
  };
  const deadline = Date.now() + 60_000;
  for (;;) {
    const isUp = await get('/').then(
      () => true,
      () => false,
    );
    if (isUp) return get;
    if (started.exitCode !== null || Date.now() > deadline) throw new Error(`${command} ${file}: ${said}`);
    await new Promise((wait) => setTimeout(wait, 100));
  }
}

async function signsIn(get: Awaited<ReturnType<typeof startBackend>>, email: string) {
  const start = await get('/sign-in');
  expect([302, 303]).toContain(start.status);
  const request = new URL(start.location).searchParams;
  expect(request.get('redirect_uri')).toBe(callback);
  expect(request.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce']) expect(request.get(name)?.length).toBeGreaterThan(15);
  const arrived = new URL(await signInAs({ authorizationUrl: start.location, email }));
  const forged = await get(`${arrived.pathname}?code=forged&state=forged`);
  expect([200]).not.toContain(forged.status);
  const again = await get('/sign-in');
  const back = new URL(await signInAs({ authorizationUrl: again.location, email }));
  const done = await get(back.pathname + back.search);
  const home = done.status === 200 ? done : await get('/');
  expect(home.text).toContain(`Signed in as ${email}`);
}

describe('the snippets', () => {
  test('are the files of examples/snippets, all of them, each filled with what the page knows', async () => {
    const files = await readdir(join(root, 'examples/snippets'));
    expect(files.sort()).toEqual(stacks.map(({ file }) => file).sort());
    for (const { name, for: kind } of stacks) {
      const filled = fillSnippet(name, { issuer: 'https://id.example', clientId: 'client_1', callback });
      expect(filled).toContain('https://id.example');
      expect(filled).toContain('client_1');
      expect(filled).not.toMatch(/TOLLGATE_(ISSUER|CLIENT_ID|CALLBACK)/);
      expect(filled.includes('TOLLGATE_CLIENT_SECRET')).toBe(kind === 'confidential');
      if (name !== 'next') expect(filled).toContain(callback);
      expect(snippetSource(name)).toMatch(/TOLLGATE_ISSUER/);
    }
  });

  test('a callback with quotes and dollar signs stays text in every language', () => {
    const rest = '/$HOME/`id`?a=$b';
    const uri = `https://shop.example/it's${rest}`;
    const values = { issuer: 'https://id.example', clientId: 'client_1', callback: uri };
    expect(fillSnippet('php', values)).toContain(`'https://shop.example/it\\'s${rest}'`);
    expect(fillSnippet('python', values)).toContain(`"${uri}"`);
    expect(fillSnippet('go', values)).toContain(`"${uri}"`);
    expect(fillSnippet('node', values)).toContain(`'https://shop.example/it\\'s${rest}'`);
  });
});

test('Node.js with openid-client signs a person in', async () => {
  const application = await service.register({ redirectUris: [callback] });
  const file = await write('node', application, 'node.mjs');
  const get = await startBackend(process.execPath, file, application);
  await signsIn(get, 'ada.node@example.com');
});

/** next-auth hands the requests of Next.js to @auth/core; this does so with plain requests, without all of Next.js. */
const nextAuthStandIn: Plugin = {
  name: 'next-auth',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^next-auth$/ }, () => ({ path: 'next-auth', namespace: 'stand-in' }));
    onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({
      resolveDir: root,
      contents: `
        import { Auth } from '@auth/core';
        export default (config) => {
          const complete = { basePath: '/api/auth', secret: process.env.AUTH_SECRET, ...config };
          const handle = (request) => Auth(request, complete);
          return { handlers: { GET: handle, POST: handle } };
        };`,
    }));
  },
};

test('Next.js with Auth.js signs a person in (@auth/core, which next-auth wraps, answers for it)', async () => {
  const uri = 'https://shop.example.test/api/auth/callback/tollgate';
  const application = await service.register({ redirectUris: [uri] });
  const file = await write('next', application, 'route.mjs', uri);
  const { outputFiles } = await build({
    stdin: { contents: await readFile(file, 'utf8'), resolveDir: folder },
    plugins: [nextAuthStandIn],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const bundle = join(folder, 'next-bundle.mjs');
  await writeFile(bundle, outputFiles[0]?.text ?? '');
  process.env.AUTH_SECRET = 'a secret of the application, at least 32 characters';
  process.env.TOLLGATE_CLIENT_SECRET = application.clientSecret;
  const route = (await import(pathToFileURL(bundle).href)) as Record<
    'GET' | 'POST',
    (request: Request) => Promise<Response>
  >;
  const cookies = new Map<string, string>();
  const ask = async (method: 'GET' | 'POST', url: string, form?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && new URLSearchParams(form);
    const answer = await route[method](
      new Request(new URL(url, uri), { method, headers: { cookie }, ...(body && { body }) }),
    );
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const { csrfToken } = (await (await ask('GET', '/api/auth/csrf')).json()) as { csrfToken: string };
  const start = await ask('POST', '/api/auth/signin/tollgate', { csrfToken });
  const email = 'ada.next@example.com';
  const back = await signInAs({ authorizationUrl: start.headers.get('location') ?? '', email });
  await ask('GET', back);
  const session = await (await ask('GET', '/api/auth/session')).json();
  expect(session).toMatchObject({ user: { email, id: expect.stringMatching(/^[\w-]{43}$/) } });
});

((await hasChromium()) ? test : test.skip)(
  'a single-page app with oidc-client-ts signs a person in',
  async () => {
    const port = await freePort();
    const origin = `https://localhost:${port}`;
    const application = await service.register({
      clientType: 'public',
      redirectUris: [`${origin}/callback`],
      allowedOrigins: [origin],
    });
    const file = await write('single-page', application, 'single-page.mjs', `${origin}/callback`);
    const { outputFiles } = await build({
      stdin: {
        contents: `import * as snippet from ${JSON.stringify(file)}; window.snippet = snippet;`,
        resolveDir: folder,
      },
      bundle: true,
      write: false,
      format: 'iife',
    });
    const server = createServer(await makeCertificate(), (request, response) => {
      const isScript = request.url === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script src="/app.js"></script>');
    });
    await new Promise<void>((listening) => server.listen(port, 'localhost', listening));
    const chromium = await launchChromium();
    try {
      const page = await (await chromium.newContext({ ignoreHTTPSErrors: true })).newPage();
      await page.goto(origin);
      await page.evaluate('void window.snippet.signIn()');
      await page.waitForURL(`${service.url}/**`);
      await signInOnPages(page, { issuer: service.url, email: 'ada.spa@example.com' });
      await page.waitForURL(`${origin}/callback**`);
      const profile = await page.evaluate('window.snippet.signedIn()');
      expect(profile).toMatchObject({ email: 'ada.spa@example.com', sub: expect.any(String) });
      expect(page.url()).toBe(`${origin}/`);
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(
        /eyJ/,
      );
    } finally {
      await chromium.close();
      server.close();
      server.closeAllConnections();
    }
  },
);

const python = process.env.PYTHON ?? 'python3';
const works = (command: string, ...input: string[]) =>
  run(command, input).then(
    () => true,
    () => false,
  );
const hasPython = await works(python, '--version');
const hasAuthlib = hasPython && (await works(python, '-c', 'import authlib, flask, requests'));

/** A language that is not on this machine has no test here; docs/clients.md says what was run elsewhere. */
const elsewhere = new Map<string, () => Promise<void>>();
if (hasAuthlib) {
  elsewhere.set('Python with Authlib and Flask signs a person in', async () => {
    const application = await service.register({ redirectUris: [callback] });
    const file = await write('python', application, 'app.py');
    await signsIn(await startBackend(python, file, application), 'ada.python@example.com');
  });
} else if (hasPython) {
  elsewhere.set('Python without Authlib here: the snippet compiles, no more', async () => {
    const file = await write('python', await service.register(), 'app.py');
    await run(python, ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', file]);
  });
}

const php = process.env.PHP ?? 'php';
if (await works(php, '--version')) {
  elsewhere.set('PHP: the snippet compiles', async () => {
    await run(php, ['-l', await write('php', await service.register(), 'index.php')]);
  });
}

const gofmt = process.env.GOFMT ?? 'gofmt';
if (await works(gofmt, '-l', 'examples/snippets/main.go')) {
  elsewhere.set('Go: the snippet is formatted Go', async () => {
    const file = await write('go', await service.register(), 'main.go');
    const { stdout } = await run(gofmt, ['-l', file]);
    expect(stdout).toBe('');
  });
}

for (const [name, check] of elsewhere) test(name, check);
