// A company's workspace: the owner of applications, API keys and webhook subscriptions, with its one currency
// and its prices.
import { asc } from 'drizzle-orm';
import { prices } from '../../drizzle/schema/balances.ts';
import { workspaces } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { workspaceNameCharacters } from '../limits/settings.ts';

export type Workspace = typeof workspaces.$inferSelect;

export type NewWorkspace = {
  name: string;
  /** ISO 4217; every amount of the workspace is in it. */
  currency: string;
  /** Micro-units. */
  registrationPrice: bigint;
  signInPrice: bigint;
  now: Date;
};

export async function createWorkspace(tx: Database, input: NewWorkspace): Promise<Workspace> {
  const workspace: Workspace = {
    id: newId('ws'),
    name: input.name,
    currency: input.currency,
    createdAt: input.now,
  };
  await tx.insert(workspaces).values(workspace);
  await tx.insert(prices).values([
    { workspaceId: workspace.id, kind: 'registration', amount: input.registrationPrice },
    { workspaceId: workspace.id, kind: 'sign_in', amount: input.signInPrice },
  ]);
  return workspace;
}

/** Trimmed. The name stands in mails and on pages: one line, no marks that could disguise it. */
export function requireWorkspaceName(typed: string): string {
  const name = typed.normalize('NFC').trim();
  const length = [...name].length;
  if (length === 0 || length > workspaceNameCharacters) {
    throw new TollgateError(
      'invalid_request',
      `The name of a workspace has 1 to ${workspaceNameCharacters} characters.`,
    );
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed()) {
    throw new TollgateError(
      'invalid_request',
      'The name of a workspace must not contain line breaks or invisible characters.',
    );
  }
  return name;
}

/** Oldest first. */
export async function listWorkspaces(db: Database): Promise<Workspace[]> {
  return db.select().from(workspaces).orderBy(asc(workspaces.createdAt), asc(workspaces.id));
}
