// A person's data as a whole, across all rooms: the copy that they may have, and the end of it (issue 5, section 3). The
// account page and `tollgate account` do the same. The ledger keeps its entries under the customer's `sub`, which nothing
// leads back to the person from then on.
import type { Account } from '../../src/accounts/account.ts';
import { copyOfAccount, deleteAccount } from '../../src/accounts/deletion.ts';
import type { Raise } from '../../src/accounts/generation.ts';
import { holdAccount } from '../../src/accounts/hold.ts';
import { recordAudit } from '../../src/applications/audit-log.ts';
import {
  deleteConsents,
  forgetCustomerships,
  listCustomerships,
} from '../../src/applications/customerships.ts';
import { forgetInInvitations, listInvitationsTo } from '../../src/applications/invitation.ts';
import { deleteMemberships, listMemberships } from '../../src/applications/membership.ts';
import type { Database } from '../../src/database.ts';
import { forgetCustomerInWebhooks } from '../../src/webhooks/forget.ts';

export async function copyOfPerson(db: Database, account: Account) {
  const memberships = await listMemberships(db, account.id);
  const invitations = await listInvitationsTo(db, account.email);
  const applications = await listCustomerships(db, account.id);
  return {
    ...(await copyOfAccount(db, account)),
    memberships: memberships.map(({ workspace, role }) => ({
      workspace_id: workspace.id,
      name: workspace.name,
      role,
    })),
    invitations: invitations.map((one) => ({
      workspace_id: one.workspaceId,
      role: one.role,
      sent_at: one.createdAt.toISOString(),
      expires_at: one.expiresAt.toISOString(),
      accepted_at: one.acceptedAt?.toISOString() ?? null,
      withdrawn_at: one.withdrawnAt?.toISOString() ?? null,
    })),
    applications: applications.map((one) => ({
      application_id: one.applicationId,
      name: one.applicationName,
      sub: one.sub,
      agreed_scopes: one.scopes,
      registered_at: one.registeredAt.toISOString(),
      last_sign_in_at: one.lastSignInAt.toISOString(),
      sign_in_count: one.signInCount,
    })),
  };
}

export type PersonEnd = {
  account: Account;
  /** Who ended it, for the audit logs of the companies they belonged to. */
  by: { action: 'member.left' | 'member.removed'; accountId: string | null; address: string | null };
  /** Sessions, grants and tokens, wherever they are kept. */
  revoke(tx: Database, raise: Raise): Promise<void>;
  now: Date;
};

/** @returns how many applications they were a customer of. */
export async function endPerson(tx: Database, { account, by, revoke, now }: PersonEnd): Promise<number> {
  await holdAccount(tx, account.id);
  const customerships = await listCustomerships(tx, account.id);
  for (const customer of customerships) await forgetCustomerInWebhooks(tx, customer);
  await deleteConsents(tx, account.id);
  await forgetCustomerships(tx, account.id);
  for (const { id, workspaceId } of await forgetInInvitations(tx, { ...account, now }))
    await recordAudit(tx, { ...by, action: 'invitation.withdrawn', workspaceId, target: id, now });
  for (const { workspaceId, accountId, role } of await deleteMemberships(tx, account.id))
    await recordAudit(tx, { ...by, workspaceId, target: accountId, detail: { role }, now });
  await revoke(tx, { accountId: account.id, endsCodes: true, now });
  // Whatever another store still holds of this account is worthless from here on: the engine looks it up.
  await deleteAccount(tx, account);
  return customerships.length;
}
