// An API of a company for tests, and the request that asks for a token for it.

import type { ResourceInput } from '../../src/applications/resource.ts';
import { createResource } from '../../src/applications/resource-change.ts';
import { type Database, transaction } from '../../src/database/connection.ts';

export const ORDERS = 'https://api.acme.test/orders';

/** `orders:read` and `orders:write`, JWTs of ten minutes, and no application, unless told otherwise. */
export function registerResource(
  db: Database,
  {
    workspaceId,
    identifier = ORDERS,
    ...input
  }: Partial<ResourceInput> & { workspaceId: string; identifier?: string },
): Promise<{ id: string }> {
  return transaction(db, (tx) =>
    createResource(tx, {
      workspaceId,
      identifier,
      name: 'Orders',
      tokenFormat: 'jwt',
      tokenSeconds: 600,
      scopes: [
        { scope: 'orders:read', description: 'See your orders' },
        { scope: 'orders:write', description: 'Order for you' },
      ],
      askingIds: [],
      introspectingIds: [],
      ...input,
      now: new Date(),
    }),
  );
}

export const forOrders = { scope: 'openid email offline_access orders:read', resource: ORDERS };
