// Operations on webhook subscriptions and their deliveries: subscribe an endpoint, pause and
// resume it, change its secret, look at deliveries and send one again.
import { z } from 'zod';
import { listApplications } from '../applications/application.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { deliveryStatuses, listDeliveries } from '../webhooks/delivery-list.ts';
import { checkEndpoint, createResolver, endpointRulesOf } from '../webhooks/endpoint-url.ts';
import { webhookTypes } from '../webhooks/event-types.ts';
import { replayDelivery } from '../webhooks/replay.ts';
import { rotateSecret } from '../webhooks/signing-secret.ts';
import {
  createSubscription,
  findSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
} from '../webhooks/subscription.ts';
import { deleteSubscription } from '../webhooks/subscription-change.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import {
  byOperator,
  chooseApplication,
  chooseWorkspace,
  type Operation,
  type OperatorDependencies,
  operation,
  workspaceField,
} from './operation.ts';

const oneOf = z.strictObject({ ...workspaceField, id: z.string() });

export const webhookOperations: Record<string, Operation> = {
  'webhook create': operation(
    z.strictObject({
      ...workspaceField,
      url: z.string(),
      application: z.array(z.string()).optional(),
      type: z.array(z.string()).optional(),
    }),
    async ({ db, keys, clock, config }, input) => {
      const rules = endpointRulesOf(config);
      await checkEndpoint(input.url, { rules, resolve: createResolver() });
      const { id: workspaceId } = await chooseWorkspace(db, input.workspace);
      const applicationIds = await applicationsOf(db, workspaceId, input.application);
      const { url, type: types } = input;
      const now = clock();
      return transaction(db, async (tx) => {
        const wanted = { ...rules, keys, workspaceId, url, applicationIds, types, now };
        const made = await createSubscription(tx, wanted);
        const audited = { action: 'webhook.created', target: made.id, detail: { url } };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return made;
      });
    },
  ),

  'webhook list': operation(z.strictObject(workspaceField), async ({ db }, input) => {
    const { id } = await chooseWorkspace(db, input.workspace);
    const data = (await listSubscriptions(db, id)).map((subscription) => ({
      id: subscription.id,
      url: subscription.url,
      status: subscription.status,
      disabledReason: subscription.disabledReason,
      types: subscription.types,
      applications: subscription.applicationIds ?? ['all'],
    }));
    return { data };
  }),

  'webhook pause': operation(oneOf, async ({ db, clock }, { id, workspace }) => {
    await transaction(db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      await pauseSubscription(tx, { workspaceId, subscriptionId: id });
      const audited = { action: 'webhook.paused', target: id };
      await recordAudit(tx, { ...byOperator(clock()), workspaceId, ...audited });
    });
    return { id, status: 'paused' };
  }),

  'webhook delete': operation(oneOf, async ({ db, clock }, { id, workspace }) => {
    await transaction(db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      const { url } = await findSubscription(tx, { workspaceId, subscriptionId: id });
      const now = clock();
      await deleteSubscription(tx, { workspaceId, subscriptionId: id, now });
      const audited = { action: 'webhook.deleted', target: id, detail: { url } };
      await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
    });
    return { id, deleted: true };
  }),

  'webhook test': operation(
    oneOf.extend({ application: z.string().optional(), type: z.enum(webhookTypes).default(webhookTypes[0]) }),
    async ({ db, clock }, { id, workspace: wanted, application, type }) =>
      transaction(db, async (tx) => {
        const workspace = await chooseWorkspace(tx, wanted);
        const { url } = await findSubscription(tx, { workspaceId: workspace.id, subscriptionId: id });
        const applicationId = await applicationFor(tx, workspace.id, application);
        const now = clock();
        const which = { workspaceId: workspace.id, subscriptionId: id };
        const { currency } = workspace;
        const sent = await sendTestEvent(tx, { ...which, applicationId, currency, type, now });
        const audited = { action: 'webhook.tested', target: id, detail: { url, type } };
        await recordAudit(tx, { ...byOperator(now), workspaceId: workspace.id, ...audited });
        return { id, ...sent, url, type };
      }),
  ),

  'webhook resume': operation(oneOf, async (deps, { id, workspace }) => {
    const isActive = await transaction(deps.db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      const now = deps.clock();
      const isResumed = await resumeSubscription(tx, { workspaceId, subscriptionId: id, now });
      await recordAudit(tx, { ...byOperator(now), workspaceId, action: 'webhook.resumed', target: id });
      return isResumed;
    });
    return { id, status: isActive ? 'active' : 'resuming' };
  }),

  'webhook rotate': operation(
    oneOf.extend({ overlapSeconds: z.coerce.number().int().optional() }),
    async ({ db, keys, clock }, { id, workspace, overlapSeconds }) => {
      const { secret, takesOverAt } = await transaction(db, async (tx) => {
        const { id: workspaceId } = await chooseWorkspace(tx, workspace);
        const overlap = overlapSeconds === undefined ? {} : { overlapSeconds };
        const now = clock();
        const rotated = await rotateSecret(tx, { keys, workspaceId, subscriptionId: id, ...overlap, now });
        const audited = { action: 'webhook.secret_rotated', target: id, detail: overlap };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return rotated;
      });
      return { id, secret, takesOverAt: takesOverAt.toISOString() };
    },
  ),

  'webhook deliveries': operation(
    z.strictObject({ ...workspaceField, status: z.enum(deliveryStatuses).optional() }),
    async ({ db }, { workspace, status }) => {
      const { id: workspaceId } = await chooseWorkspace(db, workspace);
      const data = (await listDeliveries(db, { workspaceId, status })).map((delivery) => ({
        ...delivery,
        createdAt: delivery.createdAt.toISOString(),
        nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
        finishedAt: delivery.finishedAt?.toISOString() ?? null,
      }));
      return { data };
    },
  ),

  'webhook replay': operation(oneOf, async (deps, { id, workspace }) => {
    const { db, clock } = deps;
    await transaction(db, async (tx) => {
      const { id: workspaceId } = await chooseWorkspace(tx, workspace);
      const now = clock();
      await replayDelivery(tx, { workspaceId, deliveryId: id, now });
      await recordAudit(tx, { ...byOperator(now), workspaceId, action: 'webhook.replayed', target: id });
    });
    return { id, status: 'pending' };
  }),
};

/** A test event is about an application: the one that is named, or the workspace's oldest. */
async function applicationFor(
  db: OperatorDependencies['db'],
  workspaceId: string,
  wanted: string | undefined,
): Promise<string> {
  const [named] = (await applicationsOf(db, workspaceId, wanted === undefined ? undefined : [wanted])) ?? [];
  const found = named ?? (await listApplications(db, workspaceId))[0]?.id;
  if (found) return found;
  throw new TollgateError('not_found', 'The workspace has no application that a test event could be about.');
}

async function applicationsOf(
  db: OperatorDependencies['db'],
  workspaceId: string,
  wanted: string[] | undefined,
): Promise<string[] | undefined> {
  if (!wanted) return undefined;
  const ids: string[] = [];
  for (const name of wanted) {
    const application = await chooseApplication(db, name);
    if (application.workspaceId !== workspaceId) {
      throw new TollgateError('invalid_request', `The application "${name}" belongs to another workspace.`);
    }
    ids.push(application.id);
  }
  return ids;
}
