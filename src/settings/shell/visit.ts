// One request of a member to one page of their company's settings: who asks, for which workspace, in which role, what
// the page before left to say, and the dependencies that every page uses.
import type { Context } from 'koa';
import type { Raise } from '../../accounts/generation.ts';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import type { RevokeSession } from '../../accounts/page-session-store.ts';
import type { CustomerSessions } from '../../applications/customer-session.ts';
import type { Role } from '../../applications/member.ts';
import type { Workspace } from '../../applications/workspace.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connection.ts';
import type { Lane, ReadingLanes } from '../../database/reading-lanes.ts';
import type { Sessions } from '../../first-party/session.ts';
import type { RedeemTrial } from '../../first-party/trial.ts';
import type { FormFields, FormGuard } from '../../http/form.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { Log } from '../../log.ts';
import type { Jobs } from '../../queue/jobs.ts';
import type { Mailer } from '../../queue/mail.ts';
import type { Keys } from '../../secrets.ts';
import type { Flash } from './flash.ts';

export type SettingsDependencies = {
  config: Config;
  db: Database;
  keys: Keys;
  clock: Clock;
  log: Log;
  jobs: Jobs;
  mailer: Pick<Mailer, 'queue'>;
  rateLimiter: RateLimiter;
  lanes: ReadingLanes;
  formGuard: FormGuard;
  sessions: Sessions<SignedInPerson>;
  /** adapters/stores.ts: what an application's customers hold ends when it is disabled or deleted. */
  revokeClient(tx: Database, clientId: string, now?: Date): Promise<void>;
  customerSessions: CustomerSessions;
  /** One browser's session, and all that its applications got. @returns whether it lived until now. */
  revokeSession: RevokeSession;
  /** Raises the account's generation: what was proven, begun or issued before ends (src/accounts/generation.ts). */
  revokeAccount(tx: Database, raise: Raise): Promise<void>;
  /** After that: the browser that asked stays one that this person is known in. */
  rememberDevice(ctx: Context, account: { id: string; generation: number }): void;
  redeemTrial: RedeemTrial;
};

export type MemberVisit = {
  /** Of this browser. */
  session: { id: string; sessionHash: string };
  member: { accountId: string; email: string; name: string | null; role: Role };
  workspace: Workspace;
  /** Every workspace of this person, this one among them. */
  workspaces: Pick<Workspace, 'id' | 'name'>[];
  /** Left by the page before, shown once: what was done, or a secret. */
  flash: Flash;
  /** `/applications/new` becomes `/settings/{workspace}/applications/new`. */
  path(rest: string): string;
  /** For the form that posts to `path(rest)`. */
  token(rest: string): string;
  /**
   * Everything that a form changes is changed in here: in one transaction, in which the person is still signed in,
   * recently enough for the route, and a member in the role that it needs.
   */
  change<T>(work: (tx: Database) => Promise<T>): Promise<T>;
  /** What grows with the company is read in here, so that it costs no other company its pages. */
  lane: Lane;
  /** Where the request came from, for the audit log. */
  ipAddress: string;
  signOut: { path: string; token: string };
  /** Where the API's reference is. */
  apiReference: string;
};

/** Every address of the settings is one of these; the generated matrix of the tests reads the same list. */
export type SettingsRoute = {
  method: 'GET' | 'POST';
  /** Below `/settings/:workspace`, for example `/applications/:application/secrets`. */
  path: string;
  /** The least role that may do it: a viewer reads, a developer changes, an owner moves money and people. */
  role: Role;
  /** Asks for a sign-in within the last five minutes: before secrets, money and members. */
  fresh?: true;
  /** Its form ends on a page of these origins: the content security policy must let it. */
  leadsTo?: string[];
  /** Forms only: takes files as well. */
  upload?: true;
  handle(ctx: Context, visit: MemberVisit, request: SettingsRequest): Promise<void>;
};

export type SettingsRequest = {
  /** The `:names` of the path. */
  params: Record<string, string>;
  /** Of the address (GET): parameters that appear twice are refused. */
  query: FormFields;
  /** Of a form (POST), already proven to come from our own page. */
  fields: FormFields;
  files: Record<string, Uint8Array>;
};
