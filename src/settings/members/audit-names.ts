// Who an entry of the audit log is about. Entries can never be changed, so no address stands in them: only ids, which are
// looked up when somebody reads the log, and lead nowhere once the person's account or the invitation is deleted.
import { type Account, findAccounts } from '../../accounts/account.ts';
import { listApplicationNames } from '../../applications/all-applications.ts';
import type { AuditEntry } from '../../applications/audit-log.ts';
import { findEmailsOfInvitations } from '../../applications/invitation.ts';
import type { Database } from '../../database/connection.ts';

export type AuditNames = {
  /** Who did it; null is the operator. */
  actor(accountId: string | null): string;
  /** The same by their name, where they gave one. */
  person(accountId: string | null): string;
  /** Of this workspace, deleted ones as well. */
  application(id: string | null): string | undefined;
  /** To whom: a member or somebody invited; undefined for everything else, and for who is gone. */
  target(id: string | null): string | undefined;
};

export async function findAuditNames(
  db: Database,
  workspaceId: string,
  rows: Pick<AuditEntry, 'accountId' | 'target'>[],
): Promise<AuditNames> {
  const ids = rows.flatMap(({ accountId, target }) => [accountId ?? [], target ?? []].flat());
  const people: Map<string, Account> = await findAccounts(
    db,
    ids.filter((id) => id.startsWith('acc_')),
  );
  const invited = await findEmailsOfInvitations(
    db,
    ids.filter((id) => id.startsWith('inv_')),
  );
  const applications = await listApplicationNames(db, workspaceId);
  const emailOf = (id: string) => people.get(id)?.email ?? 'Deleted account';
  return {
    actor: (id) => (id === null ? 'Tollgate operator' : emailOf(id)),
    person: (id) => (id === null ? 'Tollgate operator' : (people.get(id)?.name ?? emailOf(id))),
    application: (id) => applications.find((one) => one.id === id)?.name,
    target: (id) => (id === null ? undefined : (people.get(id)?.email ?? invited.get(id))),
  };
}
