// One request of a person to their own account page: who they are, in which language, what the page before left to say,
// and the tools that every section uses.
import type { Context } from 'koa';
import type { Account } from '../../src/accounts/account.ts';
import type { BrowserRecorder } from '../../src/accounts/browser-recorder.ts';
import type { PageSession } from '../../src/accounts/page-session.ts';
import type { CustomerSessions } from '../../src/applications/customer-session.ts';
import type { Database } from '../../src/database.ts';
import type { FormFields } from '../../src/form.ts';
import type { Redeem } from '../../src/way-in.ts';
import type { Language } from '../languages.ts';
import type { Tools } from '../visit.ts';
import type { Remark } from './remark.ts';
import type { AccountTexts } from './texts/en.ts';

export type AccountTools = Omit<Tools, 'exit'> & {
  browsers: Pick<BrowserRecorder, 'flush'>;
  customerSessions: Pick<CustomerSessions, 'end'>;
  /** From src/oidc/signed-in-browsers.ts: what only the engine knows of its sessions. */
  engineSessions: {
    /** Of the browser that asks; undefined when nobody is signed in there. */
    currentUid(ctx: Context): Promise<string | undefined>;
    isAlive(uid: string): Promise<boolean>;
  };
  /** One browser's session with the engine, and all that its applications got. */
  revokeSession(db: Database, uid: string, now: Date): Promise<void>;
  /** From src/oidc/own-pages.ts. */
  redeem: Redeem;
};

export type AccountVisit = {
  account: Account;
  session: PageSession;
  language: Language;
  texts: AccountTexts;
  /** Left by the page before, shown once. */
  remark: Remark;
  /** For the form that posts to `/account{rest}`. */
  token(rest: string): string;
  /** Where the request came from. */
  networkAddress: string;
};

export type AccountRoute = {
  method: 'GET' | 'POST';
  /** Below `/account`. */
  path: string;
  /** Asks for a sign-in within the last five minutes: before anything that weakens the account. */
  fresh?: true;
  handle(ctx: Context, visit: AccountVisit, fields: FormFields): Promise<void>;
};

export function accountPath(rest: string): string {
  return `/account${rest}`;
}
