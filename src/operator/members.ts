// Operations on the members of a workspace: how a company that the operator made gets its first owner. Who has an
// account is a member at once; for anybody else it is an invitation, mailed and printed.
import { z } from 'zod';
import { findAccountByEmail, findAccounts } from '../accounts/account.ts';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { createInvitation, INVITED_BY_OPERATOR } from '../applications/invitation.ts';
import { type Role, roles } from '../applications/member.ts';
import { addMember, listMembers } from '../applications/membership.ts';
import type { Workspace } from '../applications/workspace.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { Jobs } from '../queue/jobs.ts';
import { queueMail } from '../queue/mail.ts';
import { invitationMail } from '../settings/members/invitation-mail.ts';
import {
  type Answer,
  byOperator,
  chooseWorkspace,
  type Operation,
  type OperatorDependencies,
  operation,
  workspaceField,
} from './operation.ts';

export const memberOperations: Record<string, Operation> = {
  'member add': operation(
    z.strictObject({ ...workspaceField, email: z.string(), role: z.enum(roles).default('owner') }),
    async (deps, { workspace: wanted, email: typed, role }) => {
      const email = parseEmailAddress(typed);
      if (!email)
        throw new TollgateError('invalid_request', `${JSON.stringify(typed)} is not an email address.`);
      // Before the transaction: the queue may have to be opened first.
      const jobs = await deps.jobs();
      return transaction(deps.db, async (tx) => {
        const workspace = await chooseWorkspace(tx, wanted);
        const account = await findAccountByEmail(tx, email);
        const person = { workspace, email, role };
        return account
          ? add(tx, deps, { ...person, accountId: account.id })
          : invite(tx, { ...deps, jobs }, person);
      });
    },
  ),

  'member list': operation(z.strictObject(workspaceField), async ({ db }, input) => {
    const workspace = await chooseWorkspace(db, input.workspace);
    const members = await listMembers(db, workspace.id);
    const people = await findAccounts(
      db,
      members.map(({ accountId }) => accountId),
    );
    return {
      data: members.map(({ accountId, role, createdAt }) => ({
        accountId,
        email: people.get(accountId)?.email ?? null,
        role,
        memberSince: createdAt.toISOString(),
      })),
    };
  }),
};

type Person = { workspace: Workspace; email: string; role: Role };

async function add(
  tx: Database,
  { clock }: OperatorDependencies,
  { workspace, email, role, accountId }: Person & { accountId: string },
): Promise<Answer> {
  const now = clock();
  const isNew = await addMember(tx, { workspaceId: workspace.id, accountId, role, now });
  if (!isNew) throw new TollgateError('conflict', `${email} is already a member of ${workspace.name}.`);
  const entry = { workspaceId: workspace.id, action: 'member.added', target: accountId };
  await recordAudit(tx, { ...byOperator(now), ...entry, detail: { role } });
  return { workspaceId: workspace.id, email, role, member: true };
}

async function invite(
  tx: Database,
  { clock, config, keys, jobs }: Omit<OperatorDependencies, 'jobs'> & { jobs: Jobs },
  { workspace, email, role }: Person,
): Promise<Answer> {
  const now = clock();
  const workspaceId = workspace.id;
  const { invitation, token } = await createInvitation(tx, {
    workspaceId,
    email,
    role,
    invitedBy: INVITED_BY_OPERATOR,
    now,
  });
  const link = `${config.baseUrl}/settings/invitations/${token}`;
  const mail = invitationMail({ invitation, workspaceName: workspace.name, inviter: undefined, link });
  await queueMail(tx, { jobs, keys }, mail);
  const entry = { workspaceId, action: 'invitation.sent', target: invitation.id };
  await recordAudit(tx, { ...byOperator(now), ...entry, detail: { role } });
  return {
    workspaceId,
    email,
    role,
    member: false,
    invitation: link,
    until: invitation.expiresAt.toISOString(),
  };
}
