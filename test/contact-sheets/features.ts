// What that company uses beside plain sign-ins: APIs, one of them deleted a moment ago, a service that calls them, sign-in on
// devices, an application with keys of its own, and one in test mode.
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { changeAssurance } from '../../src/applications/assurance.ts';
import { deleteResource } from '../../src/applications/resource-deletion.ts';
import { transaction } from '../../src/database/connection.ts';
import { resourceRestoreSeconds } from '../../src/limits/applications.ts';
import { registerResource } from '../harness/resource.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import type { SettingsLab, SettingsWorkspace } from '../settings/lab.ts';

export type Features = {
  /** An API's identifier and id, and applications. */
  identifier: string;
  api: string;
  service: string;
  assured: string;
};

export async function addFeatures(
  { service: { db } }: SettingsLab,
  company: SettingsWorkspace,
  { shop, notes }: { shop: RegisteredApplication; notes: RegisteredApplication },
): Promise<Features> {
  const workspaceId = company.workspace.id;
  const now = new Date();
  await db.update(applications).set({ allowsDevices: true }).where(eq(applications.id, shop.id));
  const service = await company.register({ name: 'Nächtlicher Export', isService: true, redirectUris: [] });
  const identifier = 'https://api.nordlicht-outdoor.example/orders';
  const orders = await registerResource(db, {
    workspaceId,
    identifier,
    name: 'Bestellungen',
    scopes: [
      { scope: 'orders:read', description: 'Ihre Bestellungen sehen' },
      { scope: 'orders:write', description: 'In Ihrem Namen bestellen und stornieren' },
    ],
    askingIds: [shop.id, service.id],
    introspectingIds: [service.id],
  });
  await registerResource(db, {
    workspaceId,
    identifier: 'https://warehouse.nordlicht-outdoor.example/v2',
    name: 'Lager',
    tokenFormat: 'opaque',
    askingIds: [notes.id],
  });
  const gone = await registerResource(db, {
    workspaceId,
    identifier: 'https://old.nordlicht-outdoor.example',
    name: 'Alte Schnittstelle',
  });
  const restorableSeconds = resourceRestoreSeconds;
  const assured = await company.register({ name: 'Nordlicht Bank' });
  await transaction(db, async (tx) => {
    await deleteResource(tx, { workspaceId, resourceId: gone.id, restorableSeconds, now });
    await changeAssurance(tx, { id: assured.id, workspaceId }, { signingAlgorithm: 'ES256', now });
  });
  return { identifier, api: orders.id, service: service.id, assured: assured.id };
}
