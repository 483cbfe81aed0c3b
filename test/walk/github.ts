// A stand-in for GitHub whose people are chosen by the walker: who said yes there is known by the code, so that two
// trips may be under way at once. It can be slow to answer.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../harness/free-port.ts';

export type Identity = { subject: string; email: string; verified: boolean; name: string };

export type GitHub = {
  url: string;
  /** The person says yes at the address that our service sent them to. @returns where GitHub sends them then. */
  sayYes(authorizationUrl: string, identity: Identity): string;
  /** Nothing is answered before. */
  holdsUntil: Promise<void> | undefined;
  stop(): Promise<void>;
};

export async function startGitHub(): Promise<GitHub> {
  const port = await freePort();
  const codes = new Map<string, { challenge: string; identity: Identity }>();
  const tokens = new Map<string, Identity>();

  const server = createServer((request, response) => {
    // Our service hung up: there is nobody to answer.
    answer(request, response).catch(() => response.destroy());
  });
  const github: GitHub = {
    url: `http://127.0.0.1:${port}`,
    holdsUntil: undefined,
    sayYes(authorizationUrl, identity) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', identity });
      const callback = new URL(asked.get('redirect_uri') ?? '');
      callback.searchParams.set('state', asked.get('state') ?? '');
      callback.searchParams.set('code', code);
      return callback.href;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', github.url);
    await github.holdsUntil;
    if (pathname === '/login/oauth/access_token') return json(response, redeem(await bodyOf(request)));
    const identity = tokens.get((request.headers.authorization ?? '').replace(/^bearer /i, ''));
    if (!identity) return json(response, { message: 'Bad credentials' }, 401);
    const { subject, email, verified, name } = identity;
    if (pathname === '/user') return json(response, { id: Number(subject), login: `user${subject}`, name });
    json(response, [{ email, primary: true, verified, visibility: 'private' }]);
  }

  function redeem(form: URLSearchParams): object {
    const code = form.get('code') ?? '';
    const found = codes.get(code);
    codes.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!found || found.challenge !== proof)
      return { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' };
    const token = `gho_${randomUUID()}`;
    tokens.set(token, found.identity);
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return github;
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
