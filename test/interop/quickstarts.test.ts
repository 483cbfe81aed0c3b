// The programs of examples/quickstarts, which company settings show (promise 8): filled with the values of a real
// application, started, and used by a person from sign-in to log-out. docs/clients.md says which languages a machine
// without them skips.
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, type Plugin } from 'esbuild';
import { makeCertificate } from '../../examples/certificate.ts';
import { startLocalHttps } from '../../src/command/local-https.ts';
import {
  fillSnippet,
  type StackName,
  snippetSource,
  stacks,
} from '../../src/settings/applications/snippets.ts';
import { webhookHeaders } from '../../src/webhooks/signature.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium, launchChromium, signInOnPages } from '../harness/chromium.ts';
import { freePort } from '../harness/free-port.ts';
import { findPython } from '../harness/python.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  type Backend,
  callback,
  explainsRefusals,
  explainsTheBalance,
  livesThrough,
  origin,
  type Program,
  startBackend,
  webhookSecret,
} from './quickstarts/backend.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
/** Within the repository, so that the programs find its packages. */
const folder = join(root, 'test-output/quickstarts');

let service: TestTollgate;
const backends: Backend[] = [];

beforeAll(async () => {
  service = await startTollgate();
  await rm(folder, { recursive: true, force: true });
  // As npm would bring it.
  const installed = join(folder, 'node_modules/@tollgate/webhooks');
  await mkdir(installed, { recursive: true });
  await cp(join(root, 'packages/webhooks/package.json'), join(installed, 'package.json'));
  await run('npx', ['tsc', '-p', 'packages/webhooks/tsconfig.json', '--outDir', join(installed, 'dist')], {
    cwd: root,
  });
});
afterAll(async () => {
  for (const backend of backends) backend.stop();
  await service.stop();
});

/** The text of the page, in the place where the quickstart has it. */
async function write(stack: StackName, { clientId }: RegisteredApplication, uri = callback): Promise<string> {
  const { file } = stacks.find(({ name }) => name === stack) ?? { file: '' };
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, fillSnippet(stack, { issuer: service.url, clientId, callback: uri }));
  return path;
}

type Start = (application: RegisteredApplication) => Promise<Program>;

async function runsWhole(name: string, start: Start): Promise<void> {
  const registered = { redirectUris: [callback], postLogoutRedirectUris: [`${origin}/`] };
  const open = async (application: RegisteredApplication) => {
    const backend = await startBackend(await start(application), application);
    backends.push(backend);
    return backend;
  };
  const backend = await open(await service.register(registered));
  await explainsRefusals(backend, `refused.${name}@example.com`);
  await livesThrough(backend, { email: `ada.${name}@example.com`, issuer: service.url });
  await takesWebhooks(backend);
  backend.stop();
  const poor = await open(await service.register({ ...registered, balance: 0n }));
  await explainsTheBalance(poor, `poor.${name}@example.com`);
  poor.stop();
}

/** Signed by what signs every delivery. */
async function takesWebhooks(backend: Backend, path = '/webhooks'): Promise<void> {
  const event = {
    id: 'evt_1',
    type: 'identity.login.completed.v1',
    created_at: '2026-11-21T10:00:00.000Z',
    data: {
      application_id: 'app_1',
      customer: { sub: 's', email: 'a@example.com', email_verified: true, name: null },
    },
  };
  const body = JSON.stringify(event);
  const at = (now: Date, current = webhookSecret) =>
    webhookHeaders({ eventId: 'evt_1', body, secrets: { current }, now });
  const now = new Date();
  expect(await backend.deliver(path, at(now), body)).toBe(204);
  expect(await backend.deliver(path, at(now, 'whsec_of_another'), body)).toBe(400);
  expect(await backend.deliver(path, at(now), `${body} `)).toBe(400);
  expect(await backend.deliver(path, at(new Date(now.getTime() - 400_000)), body)).toBe(400);
}

describe('the code in company settings', () => {
  test('is that of examples/quickstarts, all of it, each filled with what the page knows', async () => {
    const entries = await readdir(join(root, 'examples/quickstarts'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.sort()).toEqual(stacks.map(({ file }) => dirname(file)).sort());
    for (const { name, for: kind } of stacks) {
      const filled = fillSnippet(name, { issuer: 'https://id.example', clientId: 'client_1', callback });
      expect(filled).toContain('https://id.example');
      expect(filled).toContain('client_1');
      expect(filled).not.toMatch(/TOLLGATE_(ISSUER|CLIENT_ID|CALLBACK)/);
      expect(filled.includes('TOLLGATE_CLIENT_SECRET')).toBe(kind === 'confidential');
      expect(filled).toContain(callback);
      // Where its webhook verifier is: at the service that shows this.
      expect(filled).not.toContain('id.example.com');
      if (kind === 'confidential' && name !== 'ruby')
        expect(filled).toMatch(/https:\/\/id\.example\/docs\/files\/tollgate[_-]webhooks\.\w+$/m);
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

test('Node.js with Express and openid-client: a whole application', async () => {
  await runsWhole('node', async (application) => {
    const file = await write('node', application);
    await writeFile(join(dirname(file), 'package.json'), '{ "type": "module" }');
    return { command: process.execPath, input: [file], cwd: dirname(file) };
  });
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
  await cp(join(root, 'examples/quickstarts/next'), join(folder, 'next'), { recursive: true });
  await write('next', application, uri);
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'next/app/api/auth/[...nextauth]/route.js')],
    plugins: [nextAuthStandIn],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const bundle = join(folder, 'next/bundle.mjs');
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

/** React is not installed here; Preact's compatible layer has the same interface. */
const react = {
  react: 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

async function bundleSinglePageApp(application: RegisteredApplication, uri: string): Promise<string> {
  const file = await write('single-page', application, uri);
  const { outputFiles } = await build({
    entryPoints: [file],
    alias: react,
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return outputFiles[0]?.text ?? '';
}

((await hasChromium()) ? test : test.skip)(
  'a single-page app with React and oidc-client-ts: in, renewed, out, and what goes wrong',
  async () => {
    const port = await freePort();
    const here = `https://localhost:${port}`;
    const application = await service.register({
      clientType: 'public',
      redirectUris: [`${here}/callback`],
      postLogoutRedirectUris: [`${here}/`],
      allowedOrigins: [here],
    });
    const script = await bundleSinglePageApp(application, `${here}/callback`);
    const html = await readFile(join(root, 'examples/quickstarts/react/index.html'), 'utf8');
    const server = createServer(await makeCertificate(), (request, response) => {
      const isScript = request.url === '/main.jsx';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : html);
    });
    await new Promise<void>((listening) => server.listen(port, 'localhost', listening));
    const chromium = await launchChromium();
    try {
      const page = await (await chromium.newContext({ ignoreHTTPSErrors: true })).newPage();
      await page.goto(`${here}/account`);
      await page.getByText('Your account is yours alone.').waitFor();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${service.url}/**`);
      await signInOnPages(page, { issuer: service.url, email: 'ada.spa@example.com' });
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      expect(page.url()).toBe(`${here}/account`);
      expect(await page.textContent('pre')).toContain('ada.spa@example.com');
      await page.getByRole('button', { name: 'Renew the access token' }).click();
      await page.getByText('Renewals: 1').waitFor();
      const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
      expect(stored).not.toMatch(/eyJ/);

      await page.getByRole('button', { name: 'Log out' }).click();
      await page.click('button[name="logout"]');
      await page.waitForURL(`${here}/`);
      await page.goto(`${here}/callback?error=access_denied&state=unknown`);
      await page.getByRole('heading', { name: 'Signing in failed' }).waitFor();
    } finally {
      await chromium.close();
      server.close();
      server.closeAllConnections();
    }
  },
);

const works = (command: string, ...input: string[]) =>
  run(command, input).then(
    () => true,
    () => false,
  );
/** Where the language or its libraries are missing, the name of the test says so. */
const where = (isThere: boolean) => (isThere ? test : test.skip);

const python = findPython();
where(await works(python, '-c', 'import authlib, flask, requests'))(
  'Python with Flask and Authlib: a whole application',
  async () => {
    await runsWhole('python', async (application) => {
      const file = await write('python', application);
      const webhooks = join(root, 'examples/webhooks/python');
      // Authlib refuses plain http otherwise, which only this test uses.
      const env = { AUTHLIB_INSECURE_TRANSPORT: '1', PYTHONPATH: webhooks, PYTHONDONTWRITEBYTECODE: '1' };
      return { command: python, input: [file], cwd: dirname(file), env };
    });
  },
);

const ruby = process.env.RUBY ?? 'ruby';
where(await works(ruby, '-e', 'require "sinatra/base"; require "openid_connect"'))(
  'Ruby with Sinatra and openid_connect: a whole application',
  async () => {
    await runsWhole('ruby', async (application) => {
      const file = await write('ruby', application);
      return { command: ruby, input: [file], cwd: dirname(file), env: { APP_ENV: 'production' } };
    });
  },
);

/** A folder in which somebody ran `npm install` for examples/quickstarts/next: Next.js is 300 MB, which not everybody wants. */
const nextFolder = process.env.NEXT_FOLDER;
where(nextFolder !== undefined && (await hasChromium()))(
  'Next.js with Auth.js: a whole application, in a browser',
  async () => {
    const cwd = String(nextFolder);
    const [port, front] = [await freePort(), await freePort()];
    const here = `https://localhost:${front}`;
    const uri = `${here}/api/auth/callback/tollgate`;
    const registered = { redirectUris: [uri], postLogoutRedirectUris: [`${here}/`] };
    const application = await service.register(registered);
    await cp(join(root, 'examples/quickstarts/next/app'), join(cwd, 'app'), { recursive: true });
    await cp(join(folder, 'node_modules/@tollgate'), join(cwd, 'node_modules/@tollgate'), {
      recursive: true,
    });
    const filled = fillSnippet('next', {
      issuer: service.url,
      clientId: application.clientId,
      callback: uri,
    });
    await writeFile(join(cwd, 'auth.js'), filled);
    const input = [join(cwd, 'node_modules/next/dist/bin/next'), 'dev'];
    const env = { AUTH_SECRET: 'a secret of the application, 32 characters', NEXT_TELEMETRY_DISABLED: '1' };
    const backend = await startBackend({ command: process.execPath, input, cwd, env, port }, application);
    backends.push(backend);
    const https = await startLocalHttps({ port: front, to: port, certificate: await makeCertificate() });
    const chromium = await launchChromium();
    try {
      const page = await (await chromium.newContext({ ignoreHTTPSErrors: true })).newPage();
      page.setDefaultTimeout(90_000);
      const email = 'ada.nextjs@example.com';
      await page.goto(`${here}/account`);
      await page.getByRole('heading', { name: 'Shop' }).waitFor();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${service.url}/**`);
      await signInOnPages(page, { issuer: service.url, email });
      await page.getByText(`Signed in as ${email}`).waitFor();
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      expect(JSON.parse((await page.textContent('pre')) ?? '')).toMatchObject({
        name: 'Ada Lovelace',
        email,
      });
      await takesWebhooks(backend, '/api/webhooks');
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.click('button[name="logout"]');
      await page.waitForURL(`${here}/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.goto(`${uri}?error=access_denied&state=unknown`);
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    } finally {
      await chromium.close();
      await https.close();
      backend.stop();
    }
  },
);

/** A folder with Composer's `vendor`, because its registry is not everywhere. */
const { PHP_VENDOR: vendor, PHP: php = 'php' } = process.env;
where(vendor !== undefined)('PHP with OpenID-Connect-PHP: a whole application', async () => {
  await runsWhole('php', async (application) => {
    const file = await write('php', application);
    const cwd = dirname(file);
    await cp(String(vendor), join(cwd, 'vendor'), { recursive: true });
    await cp(join(root, 'examples/webhooks/php/tollgate_webhooks.php'), join(cwd, 'tollgate_webhooks.php'));
    return { command: 'sh', input: ['-c', `exec ${php} -S localhost:$PORT index.php`], cwd };
  });
});
where(await works(php, '--version'))('PHP: the program compiles', async () => {
  await run(php, ['-l', await write('php', await service.register())]);
});

/** Set by whoever has its modules: the Go tool would bring them from its proxy, and compile for minutes. */
const { GO: go = 'go', GO_QUICKSTART: wantsGo } = process.env;
where(wantsGo !== undefined)(
  'Go with go-oidc: a whole application',
  async () => {
    await runsWhole('go', async (application) => {
      const cwd = dirname(await write('go', application));
      for (const file of ['go.mod', 'go.sum'])
        await cp(join(root, 'examples/quickstarts/go', file), join(cwd, file));
      const webhooks = join(root, 'examples/webhooks/go/tollgate_webhooks.go');
      await cp(webhooks, join(cwd, 'tollgatewebhooks/webhooks.go'));
      await run(go, ['build', '-o', 'shop', '.'], { cwd });
      return { command: join(cwd, 'shop'), input: [], cwd };
    });
  },
  600_000,
);
const gofmt = process.env.GOFMT ?? 'gofmt';
where(await works(gofmt, '-l', join(root, 'examples/quickstarts/go')))(
  'Go: the program is formatted Go',
  async () => {
    const { stdout } = await run(gofmt, ['-l', await write('go', await service.register())]);
    expect(stdout).toBe('');
  },
);
