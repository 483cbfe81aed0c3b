// Whom an application in test mode may mail (docs/decisions/1101): members of its workspace, and the few addresses that the
// company has listed. Whether it does is not told on any page.
import { and, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { members } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { testAddressesPerApplication } from '../limits/applications.ts';
import type { Application } from './application.ts';
import { type OwnApplication, requireApplication } from './application-change.ts';

/** @param emails as parseEmailAddress spells them. @throws TollgateError not_found, conflict, invalid_request */
export async function changeTestAddresses(
  tx: Database,
  key: OwnApplication,
  emails: string[],
): Promise<Application> {
  const { isTest } = await requireApplication(tx, key);
  if (!isTest) throw new TollgateError('conflict', 'This application is live and mails every address.');
  const testAddresses = [...new Set(emails)];
  if (testAddresses.length > testAddressesPerApplication) {
    const words = `An application has at most ${testAddressesPerApplication} test addresses.`;
    throw new TollgateError('invalid_request', words);
  }
  const [application] = await tx
    .update(applications)
    .set({ testAddresses })
    .where(and(eq(applications.id, key.id), isNull(applications.deletedAt)))
    .returning();
  if (!application) throw new TollgateError('not_found', 'There is no such application.');
  return application;
}

type Recipient = {
  application: Pick<Application, 'workspaceId' | 'testAddresses'>;
  email: string;
  /** Whose address it is; undefined: nobody's, and the same is asked of the database. */
  accountId: string | undefined;
};

export async function mayMailInTestMode(
  db: Database,
  { application, email, accountId = '' }: Recipient,
): Promise<boolean> {
  const { workspaceId, testAddresses } = application;
  const [member] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.accountId, accountId)));
  return member !== undefined || testAddresses.includes(email);
}
