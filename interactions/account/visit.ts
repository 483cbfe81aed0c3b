// One request of a person to their own account page: who they are, in which language, what the page before left to say,
// and the dependencies that every section uses.
import type { Context } from 'koa';
import type { BrowserRecorder } from '../../src/accounts/browser-recorder.ts';
import type { SignedInPerson } from '../../src/accounts/page-session.ts';
import type { RevokeSession } from '../../src/accounts/page-session-store.ts';
import type { Place } from '../../src/accounts/proof.ts';
import type { CustomerSessions } from '../../src/applications/customer-session.ts';
import type { Database } from '../../src/database/connection.ts';
import type { Sessions } from '../../src/first-party/session.ts';
import type { RedeemCode } from '../../src/first-party/sign-in.ts';
import type { FormFields } from '../../src/http/form.ts';
import type { Language } from '../languages.ts';
import type { MailRequest } from '../mail-request.ts';
import type { Dependencies } from '../visit.ts';
import type { Flash } from './flash.ts';
import type { Purpose } from './sections.ts';
import type { AccountTexts } from './texts/en.ts';

export type AccountDependencies = Omit<Dependencies, 'exit' | 'keepInteraction'> & {
  browsers: Pick<BrowserRecorder, 'flush'>;
  customerSessions: Pick<CustomerSessions, 'end'>;
  /** One browser's session, and all that its applications got. @returns whether it lived until now. */
  revokeSession: RevokeSession;
  sessions: Sessions<SignedInPerson>;
  /** From src/oidc/tokens/first-party-sign-in.ts. */
  redeem: RedeemCode;
};

export type AccountVisit = SignedInPerson & {
  /**
   * Everything that a form changes is changed in here: in one transaction, in which the person is still signed in, and
   * recently enough for the route. @throws TollgateError signed_out, sign_in_too_old
   */
  change<T>(work: (tx: Database, person: SignedInPerson) => Promise<T>): Promise<T>;
  /** For a proof that is made in this page session. */
  place: Place;
  /** This page, below `/account`. */
  here: string;
  language: Language;
  texts: AccountTexts;
  /** Left by the page before, shown once. */
  flash: Flash;
  /** For the form that posts to `/account{rest}`. */
  token(rest: string): string;
  /** Where the request came from. */
  ipAddress: string;
  /** For the mails about what is done in it. */
  request: MailRequest;
};

export type AccountRoute = {
  method: 'GET' | 'POST';
  /** Below `/account`. */
  path: string;
  /** Asks for a sign-in within the last five minutes, and says what for: before anything that weakens the account. */
  fresh?: Purpose;
  handle(ctx: Context, visit: AccountVisit, fields: FormFields): Promise<void>;
};

export function accountPath(rest: string): string {
  return `/account${rest}`;
}
