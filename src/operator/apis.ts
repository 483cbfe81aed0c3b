// Operations on the APIs of a company: register one, change it, list and delete them; and on services, which call them in
// their own name.
import { z } from 'zod';
import { createApplication } from '../applications/application.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { newResource, type ResourceInput, type ResourceScope } from '../applications/resource.ts';
import { changeResource, createResource } from '../applications/resource-change.ts';
import { deleteResource } from '../applications/resource-deletion.ts';
import { findResource, listResources, type Resource } from '../applications/resource-list.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import {
  type Answer,
  byOperator,
  chooseApplication,
  chooseWorkspace,
  type Operation,
  operation,
  workspaceField,
} from './operation.ts';

const described = {
  name: z.string().optional(),
  scope: z.array(z.string()).optional(),
  format: z.enum(['jwt', 'opaque']).optional(),
  seconds: z.coerce.number().int().optional(),
  application: z.array(z.string()).optional(),
  introspect: z.array(z.string()).optional(),
};
const one = z.strictObject({ ...workspaceField, id: z.string() });

export const apiOperations: Record<string, Operation> = {
  'application create-service': operation(
    z.strictObject({ ...workspaceField, name: z.string() }),
    async ({ db, clock }, { name, workspace }) =>
      transaction(db, async (tx) => {
        const { id: workspaceId } = await chooseWorkspace(tx, workspace);
        const now = clock();
        const { application, clientSecret } = await createApplication(tx, {
          workspaceId,
          name,
          clientType: 'confidential',
          isService: true,
          redirectUris: [],
          now,
        });
        const { id: applicationId, clientId } = application;
        const detail = { name: application.name, kind: 'service' };
        const audited = { action: 'application.created', target: applicationId, detail };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return { applicationId, clientId, clientSecret: clientSecret ?? '' };
      }),
  ),

  'api create': operation(
    z.strictObject({ ...workspaceField, identifier: z.string(), ...described, name: z.string() }),
    async ({ db, clock }, { identifier, workspace, ...input }) =>
      transaction(db, async (tx) => {
        const { id: workspaceId } = await chooseWorkspace(tx, workspace);
        const now = clock();
        const wanted = await readInput(tx, input, { ...newResource, name: input.name });
        const { id } = await createResource(tx, { ...wanted, workspaceId, identifier, now });
        const detail = { identifier, name: wanted.name };
        await recordAudit(tx, { ...byOperator(now), workspaceId, action: 'api.created', target: id, detail });
        return shown(await findResource(tx, { workspaceId, resourceId: id }));
      }),
  ),

  'api list': operation(z.strictObject(workspaceField), async ({ db }, { workspace }) => {
    const { id } = await chooseWorkspace(db, workspace);
    return { data: (await listResources(db, id)).map(shown) };
  }),

  'api update': operation(one.extend(described), async ({ db, clock }, { id, workspace, ...input }) =>
    transaction(db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      const which = { workspaceId, resourceId: id };
      const wanted = await readInput(tx, input, await findResource(tx, which));
      await changeResource(tx, which, wanted);
      const changed = { action: 'api.changed', target: id, detail: { name: wanted.name } };
      await recordAudit(tx, { ...byOperator(clock()), workspaceId, ...changed });
      return shown(await findResource(tx, which));
    }),
  ),

  'api delete': operation(one, async ({ db, clock }, { id, workspace }) =>
    transaction(db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      const which = { workspaceId, resourceId: id };
      const { name, identifier } = await findResource(tx, which);
      const now = clock();
      await deleteResource(tx, { ...which, now });
      const deleted = { action: 'api.deleted', target: id, detail: { name, identifier } };
      await recordAudit(tx, { ...byOperator(now), workspaceId, ...deleted });
      return { id, deleted: true };
    }),
  ),
};

type Typed = z.infer<z.ZodObject<typeof described>>;

/** What is not named stays. */
async function readInput(tx: Database, typed: Typed, before: ResourceInput): Promise<ResourceInput> {
  const idsOf = async (names: string[]) => {
    const ids: string[] = [];
    for (const name of names) ids.push((await chooseApplication(tx, name)).id);
    return ids;
  };
  return {
    name: typed.name ?? before.name,
    tokenFormat: typed.format ?? before.tokenFormat,
    tokenSeconds: typed.seconds ?? before.tokenSeconds,
    scopes: typed.scope?.map(readScope) ?? before.scopes,
    askingIds: typed.application ? await idsOf(typed.application) : before.askingIds,
    introspectingIds: typed.introspect ? await idsOf(typed.introspect) : before.introspectingIds,
  };
}

function readScope(text: string): ResourceScope {
  const [scope = '', ...description] = text.split('=');
  if (description.length === 0)
    throw new TollgateError(
      'invalid_request',
      'Give a scope as scope=description: "orders:read=See your orders".',
    );
  return { scope, description: description.join('=').trim() };
}

function shown({ createdAt, deletedAt: _deletedAt, scopes, ...api }: Resource): Answer {
  return {
    id: api.id,
    identifier: api.identifier,
    name: api.name,
    format: api.tokenFormat,
    seconds: api.tokenSeconds,
    scopes: scopes.map(({ scope, description }) => `${scope}=${description}`),
    applications: api.askingIds,
    introspecting: api.introspectingIds,
    createdAt: createdAt.toISOString(),
  };
}
