// The relying party's own sessions: everything on the server, the browser holds an HttpOnly cookie with a random
// id. In memory, because this is an example: a real shop puts them where its other processes see them.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Customer } from './relying-party-pages.tsx';

/** One click on "Sign in": made anew each time, used once, never leaves the server. */
export type Attempt = { codeVerifier: string; nonce: string };

export type Session = {
  id: string;
  openedAt: number;
  /** By state, so that two tabs can sign in at the same time. */
  attempts: Map<string, Attempt>;
  customer?: Customer;
  idToken?: string;
};

export type Sessions = {
  find(request: IncomingMessage): Session | undefined;
  open(response: ServerResponse): Session;
  close(session: Session | undefined, response: ServerResponse): void;
};

const sessionMilliseconds = 8 * 60 * 60 * 1000;
const mostSessions = 10_000;
const cookieName = '__Host-shop';
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    find(request) {
      const session = sessions.get(readCookie(request));
      return session && session.openedAt > Date.now() - sessionMilliseconds ? session : undefined;
    },
    open(response) {
      const id = randomBytes(32).toString('base64url');
      const session: Session = { id, openedAt: Date.now(), attempts: new Map() };
      sessions.set(id, session);
      dropOldest(sessions, mostSessions);
      response.setHeader('set-cookie', `${cookieName}=${id}; ${cookieAttributes}`);
      return session;
    },
    close(session, response) {
      if (session) sessions.delete(session.id);
      response.setHeader('set-cookie', `${cookieName}=; ${cookieAttributes}; Max-Age=0`);
    },
  };
}

/** A map keeps the order of insertion, so the first key is the oldest. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

function readCookie(request: IncomingMessage): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1] ?? '';
}
