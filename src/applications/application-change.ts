// What a company changes about an application after its creation: its name and logo, its addresses,
// whether it works, and its end. Each function finds the application by its workspace as well: another company's, a
// deleted and a made-up id are the same.
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { appearances, applications } from '../../drizzle/schema/applications.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { Application, ClientRules } from './application.ts';
import { requireOrigins, requireRedirectUris } from './redirect-uri.ts';
import { requireName } from './service-name.ts';

export type OwnApplication = { id: string; workspaceId: string };

/** @throws TollgateError not_found */
export async function requireApplication(db: Database, key: OwnApplication): Promise<Application> {
  const [application] = await db.select().from(applications).where(isOwn(key));
  if (!application) throw noSuchApplication();
  return application;
}

/** Until the transaction ends nobody else changes it. @throws TollgateError not_found */
export async function lockApplication(tx: Database, key: OwnApplication): Promise<Application> {
  const [application] = await tx.select().from(applications).where(isOwn(key)).for('update');
  if (!application) throw noSuchApplication();
  return application;
}

/** Its money and its events outlive it: for the pages that show those. @throws TollgateError not_found */
export async function requireKeptApplication(db: Database, key: OwnApplication): Promise<Application> {
  const [application] = await db
    .select()
    .from(applications)
    .where(and(eq(applications.id, key.id), eq(applications.workspaceId, key.workspaceId)));
  if (!application) throw noSuchApplication();
  return application;
}

/** Last deleted first. */
export async function listDeletedApplications(db: Database, workspaceId: string): Promise<Application[]> {
  return db
    .select()
    .from(applications)
    .where(and(eq(applications.workspaceId, workspaceId), isNotNull(applications.deletedAt)))
    .orderBy(desc(applications.deletedAt), desc(applications.id));
}

/** `logo`: a new one as logo.ts drew it, null to have none, undefined to leave it. */
export async function changeAppearance(
  tx: Database,
  key: OwnApplication,
  look: { name: string; logo?: Uint8Array | null | undefined },
): Promise<Application> {
  const name = requireName(look.name);
  return change(tx, key, { name, ...(look.logo === undefined ? {} : { logo: look.logo }) });
}

export type ApplicationUris = {
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  allowedOrigins: string[];
};

/** @throws TollgateError invalid_request naming every bad address. */
export async function changeUris(
  tx: Database,
  key: OwnApplication,
  { redirectUris, postLogoutRedirectUris, allowedOrigins }: ApplicationUris,
): Promise<Application> {
  if (redirectUris.length === 0)
    throw new TollgateError('invalid_request', 'An application needs a callback address.');
  const { isService } = await requireApplication(tx, key);
  if (isService) throw new TollgateError('invalid_request', 'A service has no addresses.');
  requireRedirectUris(redirectUris, 'callback');
  requireRedirectUris(postLogoutRedirectUris, 'post-logout');
  requireOrigins(allowedOrigins);
  return change(tx, key, { redirectUris, postLogoutRedirectUris, allowedOrigins });
}

export type BackchannelLogout = {
  /** As the webhooks' rules for endpoints accepted it (src/webhooks/endpoint-url.ts); null: nobody is told. */
  uri: string | null;
  sessionRequired: boolean;
};

/** docs/decisions/1201; what waits already goes to the new address. */
export async function changeBackchannelLogout(
  tx: Database,
  key: OwnApplication,
  { uri, sessionRequired }: BackchannelLogout,
): Promise<Application> {
  return change(tx, key, {
    backchannelLogoutUri: uri,
    backchannelLogoutSessionRequired: uri !== null && sessionRequired,
  });
}

/** docs/decisions/0807; counts from the next request on. */
export async function changeClientRules(
  tx: Database,
  key: OwnApplication,
  rules: ClientRules,
): Promise<Application> {
  return change(tx, key, { isCompatible: rules === 'compatible' });
}

/** docs/decisions/1208; counts from the next request on. What its devices hold stays theirs. */
export async function changeDevices(
  tx: Database,
  key: OwnApplication,
  allowsDevices: boolean,
): Promise<Application> {
  return change(tx, key, { allowsDevices });
}

/** From the next request on its Client ID is unknown. What its customers hold is ended by adapters/revoke.ts. */
export async function disableApplication(tx: Database, key: OwnApplication, now: Date): Promise<Application> {
  return change(tx, key, { disabledAt: now });
}

export async function enableApplication(tx: Database, key: OwnApplication): Promise<Application> {
  return change(tx, key, { disabledAt: null });
}

/** For good: nothing brings it back. Its row stays, because its ledger refers to it. */
export async function deleteApplication(tx: Database, key: OwnApplication, now: Date): Promise<Application> {
  const deleted = await change(tx, key, { deletedAt: now, logo: null });
  await tx.delete(appearances).where(eq(appearances.applicationId, key.id));
  return deleted;
}

async function change(
  tx: Database,
  key: OwnApplication,
  values: Partial<typeof applications.$inferInsert>,
): Promise<Application> {
  const [application] = await tx.update(applications).set(values).where(isOwn(key)).returning();
  if (!application) throw noSuchApplication();
  return application;
}

function isOwn({ id, workspaceId }: OwnApplication) {
  return and(
    eq(applications.id, id),
    eq(applications.workspaceId, workspaceId),
    isNull(applications.deletedAt),
  );
}

function noSuchApplication(): TollgateError {
  return new TollgateError('not_found', 'There is no such application.');
}
