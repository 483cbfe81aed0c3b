// A backend of examples/quickstarts as a process, and the browser in front of it: it hears plain http behind what would end
// TLS, so its cookies and forms are taken along by hand.
import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from '@jest/globals';
import { createBrowser } from '../../harness/browserless-browser.ts';
import { signInAs, signOutAs } from '../../harness/browserless-person.ts';
import { freePort } from '../../harness/free-port.ts';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import { until } from '../../harness/until.ts';

export const origin = 'https://shop.example.test';
export const callback = `${origin}/signed-in`;
export const webhookSecret = 'whsec_of_the_quickstart';

type Answer = { status: number; location: string; text: string };
export type Backend = {
  get(path: string): Promise<Answer>;
  /** A form of its own. */
  post(path: string): Promise<Answer>;
  /** Not a browser: no cookies, no origin. */
  deliver(path: string, headers: Record<string, string>, body: string): Promise<number>;
  said(): string;
  stop(): void;
};

export type Program = {
  command: string;
  input: string[];
  cwd: string;
  env?: Record<string, string>;
  /** Where it listens, when somebody else has to know it too. */
  port?: number;
};

const startsWithinMilliseconds = 90_000;

export async function startBackend(program: Program, application: RegisteredApplication): Promise<Backend> {
  const port = program.port ?? (await freePort());
  const env = {
    ...process.env,
    PORT: String(port),
    SESSION_SECRET: 'a secret of the application',
    TOLLGATE_CLIENT_SECRET: application.clientSecret,
    TOLLGATE_WEBHOOK_SECRET: webhookSecret,
    ...program.env,
  };
  const { command, input, cwd } = program;
  const started = spawn(command, input, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => (said += String(data)));
  const cookies = new Map<string, string>();
  const ask = async (path: string, method: 'GET' | 'POST'): Promise<Answer> => {
    const answer = await fetch(`http://localhost:${port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'POST' && { origin }),
      },
    });
    for (const line of answer.headers.getSetCookie()) takeCookie(cookies, line);
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, location, text: await answer.text() };
  };
  const backend: Backend = {
    get: (path) => ask(path, 'GET'),
    post: (path) => ask(path, 'POST'),
    async deliver(path, headers, body) {
      const { status } = await fetch(`http://localhost:${port}${path}`, { method: 'POST', headers, body });
      return status;
    },
    said: () => said,
    stop: () => void started.kill(),
  };
  await untilItAnswers(backend, started);
  return backend;
}

async function untilItAnswers({ get, said }: Backend, started: ChildProcess): Promise<void> {
  const isUp = () => {
    if (started.exitCode !== null) throw new Error(`it does not start: ${said()}`);
    return get('/').then(
      () => 'up',
      () => said(),
    );
  };
  const seconds = startsWithinMilliseconds / 1000;
  await until('it answers', isUp, { isIt: (answer) => answer === 'up', seconds, everyMilliseconds: 100 });
}

/** Of a session: for this host alone, over TLS alone, out of reach of scripts and of other sites' forms. */
function takeCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  expect(name).toMatch(/^__Host-/);
  for (const attribute of [/httponly/i, /secure/i, /samesite=lax/i, /path=\//i])
    expect(line).toMatch(attribute);
  cookies.set(name, value);
}

/** The whole of a quickstart, as one person: there, in, renewed, out. */
export async function livesThrough(backend: Backend, { email, issuer }: { email: string; issuer: string }) {
  const hosted = createBrowser();
  expect((await backend.get('/account')).location).toMatch(/\/sign-in$/);
  const back = await arrive(backend, email, hosted);
  const done = await backend.get(back.pathname + back.search);
  expect(String(done.status)).toMatch(/^30/);
  expect((await backend.get('/')).text).toContain(`Signed in as ${email}`);

  const account = await backend.get('/account');
  expect(account).toMatchObject({ status: 200, text: expect.stringContaining('Ada Lovelace') });
  if (account.text.includes('/renew')) {
    expect(String((await backend.post('/renew')).status)).toMatch(/^30/);
    expect((await backend.get('/account')).status).toBe(200);
  }

  const leaving = await backend.post('/log-out');
  expect(leaving.location).toContain(`${issuer}/oauth/logout?`);
  expect(await signOutAs(hosted, leaving.location)).toBe(`${origin}/`);
  expect((await backend.get('/')).text).toContain('/sign-in');
  expect((await backend.get('/account')).location).toMatch(/\/sign-in$/);
  // And at Tollgate: the next sign-in asks for the person again.
  const again = await backend.get('/sign-in');
  const arrival = await hosted.open(again.location);
  expect('page' in arrival && arrival.page.html).toContain('type="email"');
}

/** What goes wrong has a page of its own, which says what and offers to start again; nobody is signed in by it. */
export async function explainsRefusals(backend: Backend, email: string): Promise<void> {
  const start = await backend.get('/sign-in');
  const request = new URL(start.location).searchParams;
  expect(request.get('redirect_uri')).toBe(callback);
  expect(request.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce']) expect(request.get(name)?.length).toBeGreaterThan(15);
  const { pathname } = new URL(callback);
  const forged = await backend.get(`${pathname}?code=forged&state=forged`);
  expect(forged.status).toBeGreaterThanOrEqual(400);
  expect(forged.text).toContain('/sign-in');

  const refused = await backend.get('/sign-in');
  const denied = await signInAs({ authorizationUrl: refused.location, email, consent: 'deny' });
  const shown = await backend.get(new URL(denied).pathname + new URL(denied).search);
  expect(shown.text).toContain('You said no, and nothing was shared');
  expect(shown.status).toBe(403);
  expect((await backend.get('/account')).location).toMatch(/\/sign-in$/);
}

/** The application has no money: the token endpoint refuses, the person reads something neutral, the log says why. */
export async function explainsTheBalance(backend: Backend, email: string): Promise<void> {
  const back = await arrive(backend, email, createBrowser());
  const shown = await backend.get(back.pathname + back.search);
  expect(shown.text).toContain('Signing in is paused');
  expect(shown.status).toBe(503);
  expect(backend.said()).toContain('temporarily_unavailable');
}

async function arrive(
  backend: Backend,
  email: string,
  browser: ReturnType<typeof createBrowser>,
): Promise<URL> {
  const start = await backend.get('/sign-in');
  return new URL(await signInAs({ authorizationUrl: start.location, email, browser }));
}
