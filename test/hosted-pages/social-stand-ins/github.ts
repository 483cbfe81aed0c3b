// A stand-in for GitHub: plain OAuth 2.0 as its documentation describes it. Refused exchanges are answered with status
// 200 and an `error`; there is no ID Token; who it is, is asked of the API.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../../harness/free-port.ts';

export type GitHubUser = { id: unknown; login: string; name: string | null };
export type GitHubEmail = { email: string; primary: boolean; verified: boolean; visibility: string | null };

export type GitHubStandIn = {
  url: string;
  user: GitHubUser;
  emails: GitHubEmail[];
  /** Answers instead of it; return true when it did. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
};

type Options = { clientId: string; clientSecret: string; redirectUri: string };

export async function startGitHubStandIn(options: Options): Promise<GitHubStandIn> {
  const port = await freePort();
  const codes = new Map<string, string>();
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    if (standIn.instead?.(request, response)) return;
    void answer(request, response);
  });
  const standIn: GitHubStandIn = {
    url: `http://127.0.0.1:${port}`,
    user: { id: 1, login: 'nobody', name: null },
    emails: [],
    instead: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', standIn.url);
    if (url.pathname === '/login/oauth/authorize') return authorize(url, request, response);
    if (url.pathname === '/login/oauth/access_token')
      return json(response, 200, redeem(await bodyOf(request)));
    const isKnown = tokens.has((request.headers.authorization ?? '').replace(/^bearer /i, ''));
    if (!request.headers['user-agent'])
      return json(response, 403, { message: 'Request forbidden by administrative rules.' });
    if (url.pathname === '/meta') return json(response, 200, {});
    if (!isKnown) return json(response, 401, { message: 'Bad credentials' });
    if (url.pathname === '/user') return json(response, 200, standIn.user);
    if (url.pathname === '/user/emails') return json(response, 200, standIn.emails);
    json(response, 404, { message: 'Not Found' });
  }

  async function authorize(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams: asked } = url;
    const callback = new URL(asked.get('redirect_uri') ?? '');
    if (asked.get('client_id') !== options.clientId || callback.href !== options.redirectUri)
      return json(response, 404, { message: 'Not Found' });
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><html lang="en"><title>Authorize</title><main><h1>Authorize</h1><form method="post">
        <button type="submit" name="answer" value="yes">Continue as ${standIn.user.login}</button>
        <button type="submit" name="answer" value="no">Cancel</button></form></main>`);
      return;
    }
    callback.searchParams.set('state', asked.get('state') ?? '');
    if ((await bodyOf(request)).get('answer') === 'yes') {
      const code = randomUUID();
      codes.set(code, asked.get('code_challenge') ?? '');
      callback.searchParams.set('code', code);
    } else {
      callback.searchParams.set('error', 'access_denied');
      callback.searchParams.set('error_description', 'The user has denied your application access.');
    }
    response.writeHead(302, { Location: callback.href });
    response.end();
  }

  function redeem(form: URLSearchParams): Record<string, string> {
    const challenge = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (form.get('client_secret') !== options.clientSecret) return { error: 'incorrect_client_credentials' };
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge === undefined || challenge !== proof)
      return {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      };
    const token = `gho_${randomUUID()}`;
    tokens.add(token);
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return standIn;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
