// Who is signed in to a first-party client in this browser. The session is its own, shorter than the browser's session with
// the engine, and ends with that.
import type { Context } from 'koa';
import { readCookie, removeCookie, writeCookie } from '../http/cookies.ts';
import type { FormGuard } from '../http/form.ts';
import { ipAddressOf } from '../http/ip-address.ts';
import { pageSessionAbsoluteSeconds } from '../limits/settings.ts';
import type { Area, FirstPartyClient } from './clients.ts';
import type { SignedIn } from './sign-in.ts';

export type OpeningSession<Person> = SignedIn & {
  area: Area;
  /** Value of the browser's own cookie. */
  browser: string;
  userAgent: string;
  ipAddress: string;
  /** Who was signed in in this browser: that session is over. */
  before: Person | undefined;
};

/** Where they are kept (src/accounts/page-session-store.ts). */
export type SessionStore<Person> = {
  /** Counts as a use of it. */
  find(session: { area: Area; token: string; ipAddress: string }): Promise<Person | undefined>;
  /** @returns the value of the cookie; undefined when the sign-in was another browser's, or is over. */
  open(session: OpeningSession<Person>): Promise<string | undefined>;
  /** The browser's session ends, and with it those of every first-party client. */
  end(person: Person): Promise<void>;
};

export type Sessions<Person> = {
  find(ctx: Context): Promise<Person | undefined>;
  /** A new cookie at each sign-in, against session fixation. @returns false for another browser's sign-in. */
  open(ctx: Context, signedIn: SignedIn): Promise<boolean>;
  end(ctx: Context, person: Person): Promise<void>;
  /** For whom there is nothing to end any more. */
  forget(ctx: Context): void;
};

export function createSessions<Person>(
  { area, sessionCookie }: FirstPartyClient,
  { store, formGuard }: { store: SessionStore<Person>; formGuard: FormGuard },
): Sessions<Person> {
  const forget = (ctx: Context) => removeCookie(ctx, sessionCookie);
  const find = async (ctx: Context) => {
    const token = readCookie(ctx, sessionCookie);
    return token ? store.find({ area, token, ipAddress: ipAddressOf(ctx) }) : undefined;
  };
  return {
    find,
    forget,
    async open(ctx, signedIn) {
      const token = await store.open({
        ...signedIn,
        area,
        browser: formGuard.browser(ctx) ?? '',
        userAgent: ctx.get('user-agent'),
        ipAddress: ipAddressOf(ctx),
        before: await find(ctx),
      });
      if (token) writeCookie(ctx, sessionCookie, token, pageSessionAbsoluteSeconds);
      return token !== undefined;
    },
    async end(ctx, person) {
      await store.end(person);
      forget(ctx);
    },
  };
}
