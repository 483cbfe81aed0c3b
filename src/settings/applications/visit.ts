// What every page about an application does first and last: find it within the member's own workspace, and write a
// change together with its line in the audit log.
import type { Application } from '../../applications/application.ts';
import { requireApplication } from '../../applications/application-change.ts';
import { type AuditEntry, recordAudit } from '../../applications/audit-log.ts';
import type { Database } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest } from '../shell/visit.ts';

/** Another workspace's, a deleted and a made-up one are alike. @throws TollgateError not_found */
export function applicationOf(
  { db }: Pick<SettingsDependencies, 'db'>,
  visit: MemberVisit,
  { params }: Pick<SettingsRequest, 'params'>,
): Promise<Application> {
  return requireApplication(db, { id: params.application ?? '', workspaceId: visit.workspace.id });
}

export type Change<T> = {
  action: string;
  target?: string;
  detail?: AuditEntry['detail'];
  make(tx: Database, now: Date): Promise<T>;
};

/** The change and its audit entry happen together or not at all. */
export async function audited<T>(
  { clock }: Pick<SettingsDependencies, 'clock'>,
  visit: MemberVisit,
  { action, target, detail, make }: Change<T>,
): Promise<T> {
  return visit.change(async (tx) => {
    const now = clock();
    const made = await make(tx, now);
    await recordAudit(tx, {
      workspaceId: visit.workspace.id,
      accountId: visit.member.accountId,
      action,
      target: target ?? idOf(made),
      detail: detail ?? {},
      ipAddress: visit.ipAddress,
      now,
    });
    return made;
  });
}

/** What is wrong with an input, for the page to say; every other failure goes on. */
export async function problemOf(attempt: () => unknown): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof TollgateError && error.code === 'invalid_request') return error.description;
    throw error;
  }
}

function idOf(made: unknown): string | null {
  return typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : null;
}
