// The members of a workspace: adding, changing and removing them, so that at least one owner is left whatever two
// people do at the same moment (threat 59).
import { and, asc, count, eq, inArray, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { members, workspaces } from '../../drizzle/schema/workspaces.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { membersPerWorkspace } from '../limits/settings.ts';
import type { Role } from './member.ts';
import type { Workspace } from './workspace.ts';

export type Member = typeof members.$inferSelect;
export type Membership = { workspace: Workspace; role: Role };

/** By name. */
export async function listMemberships(db: Database, accountId: string): Promise<Membership[]> {
  return db
    .select({ workspace: workspaces, role: members.role })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(eq(members.accountId, accountId))
    .orderBy(asc(workspaces.name), asc(workspaces.id));
}

/** Oldest first. */
export async function listMembers(db: Database, workspaceId: string): Promise<Member[]> {
  return db
    .select()
    .from(members)
    .where(eq(members.workspaceId, workspaceId))
    .orderBy(asc(members.createdAt), asc(members.accountId));
}

export async function findMember(
  db: Database,
  { workspaceId, accountId }: MemberKey,
): Promise<Member | undefined> {
  const [member] = await db.select().from(members).where(isMember({ workspaceId, accountId }));
  return member;
}

/**
 * Nobody changes it before the transaction ends. The workspace is held and not the member's row: two owners who remove
 * each other would wait for each other's.
 */
export async function lockMembership(
  tx: Database,
  { workspaceId, accountId }: MemberKey,
): Promise<Member | undefined> {
  await lockWorkspace(tx, workspaceId);
  return findMember(tx, { workspaceId, accountId });
}

type MemberKey = { workspaceId: string; accountId: string };

/** @returns whether the person is new there; a member keeps the role they have. */
export async function addMember(
  tx: Database,
  { workspaceId, accountId, role, now }: MemberKey & { role: Role; now: Date },
): Promise<boolean> {
  await lockWorkspace(tx, workspaceId);
  const [{ there } = { there: 0 }] = await tx
    .select({ there: count() })
    .from(members)
    .where(eq(members.workspaceId, workspaceId));
  if (there >= membersPerWorkspace) {
    throw new TollgateError('invalid_request', `A workspace has at most ${membersPerWorkspace} members.`);
  }
  const added = await tx
    .insert(members)
    .values({ workspaceId, accountId, role, createdAt: now })
    .onConflictDoNothing()
    .returning({ accountId: members.accountId });
  return added.length > 0;
}

/** @throws TollgateError invalid_request when nobody would be owner any more. */
export async function changeRole(
  tx: Database,
  { workspaceId, accountId, role }: MemberKey & { role: Role },
): Promise<Member> {
  const member = await lockMember(tx, { workspaceId, accountId });
  if (member.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, member);
  await tx.update(members).set({ role }).where(isMember(member));
  return member;
}

/** @throws TollgateError invalid_request when nobody would be owner any more. */
export async function removeMember(tx: Database, { workspaceId, accountId }: MemberKey): Promise<Member> {
  const member = await lockMember(tx, { workspaceId, accountId });
  if (member.role === 'owner') await requireAnotherOwner(tx, member);
  await tx.delete(members).where(isMember(member));
  return member;
}

/** Of an account that ends. A workspace may be left without an owner: `tollgate member add` gives it a new one. */
export async function deleteMemberships(tx: Database, accountId: string): Promise<Member[]> {
  return tx.delete(members).where(eq(members.accountId, accountId)).returning();
}

/**
 * Those of them that people sign in through: before this person goes, somebody else has to own them. Inside a transaction
 * nobody changes their members until its end.
 */
export async function listWorkspacesToHandOver(tx: Database, accountId: string): Promise<Workspace[]> {
  // In one order, so that two owners who leave at the same moment wait for each other and never cross.
  const owned = (await listMemberships(tx, accountId)).filter(({ role }) => role === 'owner');
  for (const id of owned.map(({ workspace }) => workspace.id).sort()) await lockWorkspace(tx, id);
  const alone = await listSoleOwnerships(tx, accountId);
  const inUse = await tx
    .selectDistinct({ workspaceId: applications.workspaceId })
    .from(applications)
    .where(
      and(
        isOneOf(
          applications.workspaceId,
          alone.map(({ id }) => id),
        ),
        isNull(applications.deletedAt),
      ),
    );
  return alone.filter(({ id }) => inUse.some(({ workspaceId }) => workspaceId === id));
}

/** Workspaces that would have nobody to lead them without this person. */
export async function listSoleOwnerships(db: Database, accountId: string): Promise<Workspace[]> {
  const owned = (await listMemberships(db, accountId)).filter(({ role }) => role === 'owner');
  if (owned.length === 0) return [];
  const owners = await db
    .select({ workspaceId: members.workspaceId, owners: count() })
    .from(members)
    .where(
      and(
        inArray(
          members.workspaceId,
          owned.map(({ workspace }) => workspace.id),
        ),
        eq(members.role, 'owner'),
      ),
    )
    .groupBy(members.workspaceId);
  const ownersOf = new Map(owners.map((row) => [row.workspaceId, row.owners]));
  return owned.flatMap(({ workspace }) => (ownersOf.get(workspace.id) === 1 ? [workspace] : []));
}

/** Everyone who changes members of a workspace waits here, so that what is read below is still true at the commit. */
export async function lockWorkspace(tx: Database, workspaceId: string): Promise<void> {
  await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update');
}

async function lockMember(tx: Database, { workspaceId, accountId }: MemberKey): Promise<Member> {
  await lockWorkspace(tx, workspaceId);
  const member = await findMember(tx, { workspaceId, accountId });
  if (member) return member;
  throw new TollgateError('not_found', 'There is no such member.');
}

async function requireAnotherOwner(tx: Database, { workspaceId, accountId }: Member): Promise<void> {
  const owners = (await listMembers(tx, workspaceId)).filter(({ role }) => role === 'owner');
  if (owners.some((owner) => owner.accountId !== accountId)) return;
  throw new TollgateError('invalid_request', 'A workspace needs an owner. Make someone else an owner first.');
}

function isMember({ workspaceId, accountId }: MemberKey) {
  return and(eq(members.workspaceId, workspaceId), eq(members.accountId, accountId));
}
