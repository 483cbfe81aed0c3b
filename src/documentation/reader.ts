// Whose application the pages speak of: that of somebody who is signed in to company settings, and a member of its company. Only
// the Client ID is looked up, which every sign-in shows in its address; nothing secret.
import type { Context } from 'koa';
import type { SignedInPerson } from '../accounts/page-session.ts';
import { listReadableApplications, type ReadableApplication } from '../applications/readable-applications.ts';
import type { Database } from '../database/connection.ts';
import type { Sessions } from '../first-party/session.ts';
import { applicationsOffered } from '../limits/documentation.ts';
import type { Log } from '../log.ts';

export type Readers = { db: Database; sessions: Pick<Sessions<SignedInPerson>, 'find'>; log: Log };

export type OwnApplications = {
  /** At most so many that a person chooses from a list. */
  all: ReadableApplication[];
  /** Named in the address; or the only one there is. */
  chosen: ReadableApplication | undefined;
};

/** undefined: nobody is signed in, or it cannot be asked; the pages are there all the same. */
export async function findOwnApplications(
  ctx: Context,
  { db, sessions, log }: Readers,
): Promise<OwnApplications | undefined> {
  try {
    const person = await sessions.find(ctx);
    if (!person) return undefined;
    const all = await listReadableApplications(db, person.account.id, applicationsOffered);
    const wanted = new URLSearchParams(ctx.querystring).get('application');
    const chosen = all.length === 1 ? all[0] : all.find(({ id }) => id === wanted);
    return { all, chosen };
  } catch (error) {
    log.warn({ err: error }, 'documentation without the reader');
    return undefined;
  }
}
