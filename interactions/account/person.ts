// A person's data as a whole, across all rooms: the copy that they may have, and the end of it. The
// account page and `tollgate account` do the same. The ledger keeps its entries under the customer's `sub`, which nothing
// leads back to the person from then on.
import type { Account } from '../../src/accounts/account.ts';
import { lockAccount } from '../../src/accounts/account-lock.ts';
import { closeAccount, copyOfAccount } from '../../src/accounts/deletion.ts';
import { recordAudit } from '../../src/applications/audit-log.ts';
import {
  countCustomersOfAccount,
  listCustomersOfAccount,
} from '../../src/applications/customers-of-account.ts';
import { forgetInInvitations, listInvitationsTo } from '../../src/applications/invitation.ts';
import { deleteMemberships, listMemberships } from '../../src/applications/membership.ts';
import type { Database } from '../../src/database/connection.ts';
import { TollgateError } from '../../src/errors.ts';
import { beginForgetting } from './person-end.ts';

export async function copyOfPerson(db: Database, account: Account) {
  const memberships = await listMemberships(db, account.id);
  const invitations = await listInvitationsTo(db, account.email);
  const applications = await listCustomersOfAccount(db, account.id);
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
  by: { action: 'member.left' | 'member.removed'; accountId: string | null; ipAddress: string | null };
  now: Date;
};

/**
 * From the commit on nobody is this person any more, anywhere, and nothing can be done in their name; what is left of them
 * goes in bites (person-end.ts). @returns how many applications they were a customer of.
 */
export async function endPerson(tx: Database, { account, by, now }: PersonEnd): Promise<number> {
  const held = await lockAccount(tx, account.id);
  if (!held) throw new TollgateError('not_found', 'This account no longer exists.');
  const { id, email } = held;
  const { count, signIns } = await countCustomersOfAccount(tx, id);
  for (const invitation of await forgetInInvitations(tx, { id, email, now }))
    await recordAudit(tx, {
      ...by,
      action: 'invitation.withdrawn',
      workspaceId: invitation.workspaceId,
      target: invitation.id,
      now,
    });
  for (const { workspaceId, accountId, role } of await deleteMemberships(tx, id))
    await recordAudit(tx, { ...by, workspaceId, target: accountId, detail: { role }, now });
  await beginForgetting(tx, await closeAccount(tx, { id, email, now }), count + signIns);
  return count;
}
