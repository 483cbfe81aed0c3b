// An application: what a company registers to let its customers sign in. It comes with a
// Client ID, a balance of its own and, when it has a backend, a Client Secret.
import { and, asc, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { balances } from '../../drizzle/schema/balances.ts';
import { workspaces } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { issueClientSecret } from './client-secret.ts';
import { requireOrigins, requireRedirectUris } from './redirect-uri.ts';
import { requireName } from './service-name.ts';

export type Application = typeof applications.$inferSelect;

/** `strict`: state, nonce and PKCE. `compatible`: RFC 9700 §2.1 (docs/decisions/0807). */
export type ClientRules = 'strict' | 'compatible';

export type NewApplication = {
  workspaceId: string;
  name: string;
  /** `public`: a single-page application, which cannot keep a secret and gets none. */
  clientType: 'confidential' | 'public';
  /** No person signs in to it: it is confidential, and has no callbacks. */
  isService?: boolean;
  redirectUris: string[];
  postLogoutRedirectUris?: string[];
  /** Origins that a public client calls the token and UserInfo endpoints from. */
  allowedOrigins?: string[];
  /** As src/applications/logo.ts re-encoded it. */
  logo?: Uint8Array;
  /** In test mode until it goes live (test-mode.ts). */
  isTest?: boolean;
  now: Date;
};

/** @throws TollgateError invalid_request with one sentence per wrong field. */
export async function createApplication(
  tx: Database,
  input: NewApplication,
): Promise<{ application: Application; clientSecret?: string }> {
  const name = requireName(input.name);
  requireCallbacks(input);
  requireRedirectUris(input.redirectUris, 'callback');
  requireRedirectUris(input.postLogoutRedirectUris ?? [], 'post-logout');
  requireOrigins(input.allowedOrigins ?? []);
  const currency = await currencyOf(tx, input.workspaceId);
  const application: Application = {
    id: newId('app'),
    workspaceId: input.workspaceId,
    clientId: newId('app').replace('app_', 'client_'),
    name,
    clientType: input.clientType,
    redirectUris: input.isService ? [NO_CALLBACK] : input.redirectUris,
    postLogoutRedirectUris: input.postLogoutRedirectUris ?? [],
    allowedOrigins: input.allowedOrigins ?? [],
    isCompatible: false,
    isTest: input.isTest ?? false,
    isService: input.isService ?? false,
    wentLiveAt: null,
    testAddresses: [],
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    allowsDevices: false,
    logo: input.logo ?? null,
    createdAt: input.now,
    disabledAt: null,
    deletedAt: null,
  };
  await tx.insert(applications).values(application);
  await tx.insert(balances).values({ applicationId: application.id, currency, amount: 0n });
  if (input.clientType === 'public') return { application };
  return {
    application,
    clientSecret: await issueClientSecret(tx, { applicationId: application.id, now: input.now }),
  };
}

/** What the database wants of every application. The name leads nowhere (RFC 6761 §6.4), and no page or list shows it. */
const NO_CALLBACK = 'https://service.invalid/';

function requireCallbacks({ isService = false, clientType, redirectUris }: NewApplication): void {
  if (!isService && redirectUris.length === 0)
    throw new TollgateError('invalid_request', 'An application needs a callback address.');
  if (isService && (redirectUris.length > 0 || clientType === 'public'))
    throw new TollgateError('invalid_request', 'A service has a secret, and no callback address.');
}

/** `service`: docs/decisions/1204. */
export type ApplicationKind = Application['clientType'] | 'service';

export function kindOf({
  isService,
  clientType,
}: Pick<Application, 'isService' | 'clientType'>): ApplicationKind {
  return isService ? 'service' : clientType;
}

export function clientRulesOf({ isCompatible }: Pick<Application, 'isCompatible'>): ClientRules {
  return isCompatible ? 'compatible' : 'strict';
}

/** Deleted applications are as unknown as ids that never existed. */
export async function findApplication(db: Database, id: string): Promise<Application | undefined> {
  const [application] = await db
    .select()
    .from(applications)
    .where(and(eq(applications.id, id), isNull(applications.deletedAt)));
  return application;
}

/** A deleted one as well: for what outlives it. */
export async function findKeptApplication(db: Database, id: string): Promise<Application | undefined> {
  const [application] = await db.select().from(applications).where(eq(applications.id, id));
  return application;
}

export async function findApplicationByClientId(
  db: Database,
  clientId: string,
): Promise<Application | undefined> {
  const [application] = await db
    .select()
    .from(applications)
    .where(and(eq(applications.clientId, clientId), isNull(applications.deletedAt)));
  return application;
}

/** Oldest first. */
export async function listApplications(db: Database, workspaceId: string): Promise<Application[]> {
  return db
    .select()
    .from(applications)
    .where(and(eq(applications.workspaceId, workspaceId), isNull(applications.deletedAt)))
    .orderBy(asc(applications.createdAt), asc(applications.id));
}

async function currencyOf(tx: Database, workspaceId: string): Promise<string> {
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!workspace) throw new TollgateError('not_found', 'There is no such workspace.');
  return workspace.currency;
}
