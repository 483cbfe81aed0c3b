// How the company that the first start makes gets its first owner from the start page: by an invitation, as `tollgate
// member add` would write it, so that joining proves the address and is in the audit log.
import { parseEmailAddress } from '../../src/accounts/email-address.ts';
import { recordAudit } from '../../src/applications/audit-log.ts';
import { createInvitation, INVITED_BY_OPERATOR } from '../../src/applications/invitation.ts';
import { listMembers, lockWorkspace } from '../../src/applications/membership.ts';
import type { Workspace } from '../../src/applications/workspace.ts';
import type { Clock } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';

export async function inviteFirstOwner(
  { db, clock }: { db: Database; clock: Clock },
  { workspace, typed }: { workspace: Workspace; typed: string },
): Promise<{ token: string } | { problem: string }> {
  const email = parseEmailAddress(typed);
  if (!email) return { problem: 'Type an email address, such as you@example.com.' };
  const now = clock();
  return transaction(db, async (tx) => {
    await lockWorkspace(tx, workspace.id);
    if ((await listMembers(tx, workspace.id)).length > 0)
      return { problem: `${workspace.name} has an owner by now.` };
    const { invitation, token } = await createInvitation(tx, {
      workspaceId: workspace.id,
      email,
      role: 'owner',
      invitedBy: INVITED_BY_OPERATOR,
      now,
    });
    await recordAudit(tx, {
      workspaceId: workspace.id,
      accountId: null,
      action: 'invitation.sent',
      target: invitation.id,
      detail: { role: 'owner' },
      ipAddress: null,
      now,
    });
    return { token };
  });
}
