// Invitations into a workspace: a token in a mail that works once, for seven days, for whoever
// signs in with the very address that it was sent to, as long as whoever sent it may still invite. Only its hash is kept.
import { and, asc, count, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import { invitations, members, workspaces } from '../../drizzle/schema/workspaces.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { invitationSeconds, invitationsPerWorkspace } from '../limits/settings.ts';
import { randomSecret, sha256 } from '../secrets.ts';
import type { Role } from './member.ts';
import { addMember, lockWorkspace } from './membership.ts';
import type { Workspace } from './workspace.ts';

export type Invitation = typeof invitations.$inferSelect;

/** Who invited, when it was nobody's account. */
export const INVITED_BY_OPERATOR = 'operator';
/** Whose account is gone. */
const INVITED_BY_NOBODY = 'deleted';

export type NewInvitation = {
  workspaceId: string;
  /** As parseEmailAddress spells it. */
  email: string;
  role: Role;
  invitedBy: string;
  now: Date;
};

/** An open one for the same address is replaced: only the last mail works. */
export async function createInvitation(
  tx: Database,
  { now, ...input }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  await requireAllowance(tx, { workspaceId: input.workspaceId, now });
  await tx
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(and(eq(invitations.workspaceId, input.workspaceId), eq(invitations.email, input.email), isOpen()));
  const token = randomSecret();
  const invitation: Invitation = {
    ...input,
    id: newId('inv'),
    tokenHash: sha256(token),
    createdAt: now,
    expiresAt: secondsAfter(now, invitationSeconds),
    acceptedAt: null,
    withdrawnAt: null,
  };
  await tx.insert(invitations).values(invitation);
  return { invitation, token };
}

/** Neither accepted nor withdrawn; expired ones too, so that they can be sent again. Oldest first. */
export async function listOpenInvitations(db: Database, workspaceId: string): Promise<Invitation[]> {
  return db
    .select()
    .from(invitations)
    .where(and(eq(invitations.workspaceId, workspaceId), isOpen()))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

type InvitationKey = { id: string; workspaceId: string };

/** @throws TollgateError not_found */
export async function findOpenInvitation(
  db: Database,
  { id, workspaceId }: InvitationKey,
): Promise<Invitation> {
  const [invitation] = await db.select().from(invitations).where(isOne({ id, workspaceId }));
  if (!invitation) throw new TollgateError('not_found', 'There is no such invitation.');
  return invitation;
}

/** @throws TollgateError not_found */
export async function withdrawInvitation(
  tx: Database,
  { now, ...key }: InvitationKey & { now: Date },
): Promise<Invitation> {
  const [withdrawn] = await tx.update(invitations).set({ withdrawnAt: now }).where(isOne(key)).returning();
  if (!withdrawn) throw new TollgateError('not_found', 'There is no such invitation.');
  return withdrawn;
}

/** Those that somebody sent who is no owner any more: nobody gets in by the word of a person who has no say. */
export async function withdrawInvitationsOf(
  tx: Database,
  { workspaceId, invitedBy, now }: { workspaceId: string; invitedBy: string; now: Date },
): Promise<Invitation[]> {
  return tx
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.invitedBy, invitedBy), isOpen()))
    .returning();
}

/** What the link in a mail leads to; undefined once it was used, withdrawn or is too old. */
export async function findInvitationByToken(
  db: Database,
  { token, now }: { token: string; now: Date },
): Promise<{ invitation: Invitation; workspace: Workspace } | undefined> {
  const [found] = await db
    .select({ invitation: invitations, workspace: workspaces })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .where(isValid(db, token, now));
  return found;
}

/**
 * One conditional write, so that of two requests with one link a single one wins. The workspace is held before, so that
 * whoever invited is an owner until the end. The caller has proven the address.
 * @returns undefined when the invitation is over, or meant for another address.
 */
export async function acceptInvitation(
  tx: Database,
  { token, accountId, email, now }: { token: string; accountId: string; email: string; now: Date },
): Promise<{ invitation: Invitation; isNew: boolean } | undefined> {
  const [meant] = await tx
    .select({ workspaceId: invitations.workspaceId })
    .from(invitations)
    .where(eq(invitations.tokenHash, sha256(token)));
  if (!meant) return undefined;
  await lockWorkspace(tx, meant.workspaceId);
  const [invitation] = await tx
    .update(invitations)
    .set({ acceptedAt: now })
    .where(and(isValid(tx, token, now), eq(invitations.email, email)))
    .returning();
  if (!invitation) return undefined;
  const { workspaceId, role } = invitation;
  return { invitation, isNew: await addMember(tx, { workspaceId, accountId, role, now }) };
}

/**
 * Of an account that ends: those to its address go; those that it sent end with it and forget who it was.
 * @returns those that somebody could still have accepted.
 */
export async function forgetInInvitations(
  tx: Database,
  { id, email, now }: { id: string; email: string; now: Date },
): Promise<{ id: string; workspaceId: string }[]> {
  const named = { id: invitations.id, workspaceId: invitations.workspaceId };
  const deleted = await tx
    .delete(invitations)
    .where(eq(invitations.email, email))
    .returning({ ...named, acceptedAt: invitations.acceptedAt, withdrawnAt: invitations.withdrawnAt });
  const withdrawn = await tx
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(and(eq(invitations.invitedBy, id), isOpen()))
    .returning(named);
  await tx.update(invitations).set({ invitedBy: INVITED_BY_NOBODY }).where(eq(invitations.invitedBy, id));
  const wereOpen = deleted.filter(
    ({ acceptedAt, withdrawnAt }) => acceptedAt === null && withdrawnAt === null,
  );
  return [...wereOpen, ...withdrawn].map((one) => ({ id: one.id, workspaceId: one.workspaceId }));
}

/** By id. */
export async function findEmailsOfInvitations(db: Database, ids: string[]): Promise<Map<string, string>> {
  const found = await db
    .select({ id: invitations.id, email: invitations.email })
    .from(invitations)
    .where(isOneOf(invitations.id, ids));
  return new Map(found.map(({ id, email }) => [id, email]));
}

/** To this address, whatever became of them. Oldest first. */
export async function listInvitationsTo(db: Database, email: string): Promise<Invitation[]> {
  return db
    .select()
    .from(invitations)
    .where(eq(invitations.email, email))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

async function requireAllowance(
  tx: Database,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  const since = secondsAfter(now, -invitationsPerWorkspace.seconds);
  const [{ sent } = { sent: 0 }] = await tx
    .select({ sent: count() })
    .from(invitations)
    .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.createdAt, since)));
  if (sent < invitationsPerWorkspace.count) return;
  throw new TollgateError(
    'invalid_request',
    `A workspace sends at most ${invitationsPerWorkspace.count} invitations a day. Try again tomorrow.`,
  );
}

function isOpen() {
  return and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));
}

function isOne({ id, workspaceId }: InvitationKey) {
  return and(eq(invitations.id, id), eq(invitations.workspaceId, workspaceId), isOpen());
}

function isValid(db: Database, token: string, now: Date) {
  const inviter = db
    .select({ one: sql`1` })
    .from(members)
    .where(
      and(
        eq(members.workspaceId, invitations.workspaceId),
        eq(members.accountId, invitations.invitedBy),
        eq(members.role, 'owner'),
      ),
    );
  return and(
    eq(invitations.tokenHash, sha256(token)),
    gt(invitations.expiresAt, now),
    isOpen(),
    or(eq(invitations.invitedBy, INVITED_BY_OPERATOR), exists(inviter)),
  );
}
