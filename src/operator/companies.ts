// Operations on what a company owns: workspaces, applications and API keys. Secrets are in the answer of the operation
// that makes them and in no other.
import { z } from 'zod';
import { API_KEY_SCOPES, createApiKey, revokeApiKey, rotateApiKey } from '../applications/api-key.ts';
import { listApiKeys } from '../applications/api-key-list.ts';
import { clientRulesOf, createApplication, kindOf, listApplications } from '../applications/application.ts';
import { changeClientRules } from '../applications/application-change.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { encodeLogo } from '../applications/logo.ts';
import { createWorkspace, listWorkspaces } from '../applications/workspace.ts';
import { transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { readBalance } from '../ledger/balance.ts';
import { giveWelcomeCredit } from '../ledger/welcome-credit.ts';
import { applicationNameCharacters } from '../limits/applications.ts';
import { formatAmount } from '../money.ts';
import { requireAmount } from './money.ts';
import {
  type Answer,
  byOperator,
  chooseApplication,
  chooseWorkspace,
  type Operation,
  operation,
  workspaceField,
} from './operation.ts';

export const companyOperations: Record<string, Operation> = {
  'workspace create': operation(
    z.strictObject({
      name: z.string().trim().min(1).max(applicationNameCharacters),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR')
        .optional(),
      registrationPrice: z.string().optional(),
      signInPrice: z.string().optional(),
    }),
    async ({ db, clock, config }, input) => {
      const prices = {
        registrationPrice: input.registrationPrice
          ? requireAmount(input.registrationPrice)
          : config.registrationPrice,
        signInPrice: input.signInPrice ? requireAmount(input.signInPrice) : config.signInPrice,
      };
      const currency = input.currency ?? config.currency;
      const now = clock();
      const workspace = await transaction(db, async (tx) => {
        const made = await createWorkspace(tx, { name: input.name, currency, ...prices, now });
        const detail = { name: made.name, currency };
        const audited = { action: 'workspace.created', target: made.id, detail };
        await recordAudit(tx, { ...byOperator(now), workspaceId: made.id, ...audited });
        return made;
      });
      return {
        workspaceId: workspace.id,
        name: workspace.name,
        currency: workspace.currency,
        registrationPrice: formatAmount(prices.registrationPrice),
        signInPrice: formatAmount(prices.signInPrice),
      };
    },
  ),

  'workspace list': operation(z.strictObject({}), async ({ db }) => ({
    data: (await listWorkspaces(db)).map(({ id, name, currency, createdAt }) => ({
      workspaceId: id,
      name,
      currency,
      createdAt: createdAt.toISOString(),
    })),
  })),

  'application create': operation(
    z.strictObject({
      ...workspaceField,
      name: z.string(),
      callback: z.array(z.string()),
      postLogout: z.array(z.string()).default([]),
      origin: z.array(z.string()).default([]),
      public: z.boolean().default(false),
      test: z.boolean().default(false),
      logo: z.base64().optional(),
    }),
    async ({ db, clock, config }, input) => {
      // Before the transaction: drawing takes longer than a database lock should be held.
      const logo = input.logo === undefined ? undefined : await encodeLogo(Buffer.from(input.logo, 'base64'));
      const now = clock();
      const { application, clientSecret } = await transaction(db, async (tx) => {
        const workspaceId = (await chooseWorkspace(tx, input.workspace)).id;
        const made = await createApplication(tx, {
          workspaceId,
          name: input.name,
          clientType: input.public ? 'public' : 'confidential',
          redirectUris: input.callback,
          postLogoutRedirectUris: input.postLogout,
          allowedOrigins: input.origin,
          isTest: input.test,
          ...(logo && { logo }),
          now,
        });
        const { id, name, clientType } = made.application;
        const credit = { applicationId: id, workspaceId, amount: config.welcomeCredit, now };
        if (!input.test) await giveWelcomeCredit(tx, credit);
        const audited = { action: 'application.created', target: id, detail: { name, clientType } };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return made;
      });
      const mode = application.isTest ? { mode: 'test' } : {};
      const answer = { applicationId: application.id, clientId: application.clientId, ...mode };
      return clientSecret === undefined ? answer : { ...answer, clientSecret };
    },
  ),

  'application rules': operation(
    z.strictObject({ application: z.string(), rules: z.enum(['strict', 'compatible']) }),
    async ({ db, clock, config }, { application: wanted, rules }) => {
      if (rules === 'compatible' && config.strictClientsOnly)
        throw new TollgateError('forbidden', 'STRICT_CLIENTS_ONLY forbids compatible client rules.');
      const changed = await transaction(db, async (tx) => {
        const { id, workspaceId } = await chooseApplication(tx, wanted);
        await recordAudit(tx, {
          workspaceId,
          accountId: null,
          action: 'application.client_rules_changed',
          target: id,
          detail: { rules },
          ipAddress: null,
          now: clock(),
        });
        return changeClientRules(tx, { id, workspaceId }, rules);
      });
      return { applicationId: changed.id, clientRules: clientRulesOf(changed) };
    },
  ),

  'application list': operation(z.strictObject(workspaceField), async ({ db }, input) => {
    const workspace = await chooseWorkspace(db, input.workspace);
    const data: Answer[] = [];
    for (const application of await listApplications(db, workspace.id)) {
      const balance = await readBalance(db, application.id);
      data.push({
        applicationId: application.id,
        clientId: application.clientId,
        name: application.name,
        mode: application.isTest ? 'test' : 'live',
        clientType: kindOf(application),
        clientRules: clientRulesOf(application),
        balance: formatAmount(balance.amount),
        currency: balance.currency,
        callbacks: application.isService ? [] : application.redirectUris,
      });
    }
    return { data };
  }),

  'api-key create': operation(
    z.strictObject({
      ...workspaceField,
      name: z.string(),
      expires: z.iso.datetime({ offset: true }).optional(),
    }),
    async ({ db, clock }, input) => {
      const expiresAt = input.expires === undefined ? undefined : new Date(input.expires);
      const now = clock();
      const { id, key } = await transaction(db, async (tx) => {
        const { id: workspaceId } = await chooseWorkspace(tx, input.workspace);
        const wanted = { workspaceId, name: input.name, scopes: API_KEY_SCOPES, expiresAt, now };
        const made = await createApiKey(tx, wanted);
        const detail = { name: input.name, expiresAt: expiresAt?.toISOString() ?? null };
        const audited = { action: 'api_key.created', target: made.id, detail };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return made;
      });
      return { id, key, scopes: [...API_KEY_SCOPES] };
    },
  ),

  'api-key list': operation(z.strictObject(workspaceField), async ({ db, clock }, input) => {
    const workspace = await chooseWorkspace(db, input.workspace);
    const now = clock();
    return {
      data: (await listApiKeys(db, workspace.id)).map((key) => ({
        id: key.id,
        name: key.name,
        startsWith: key.hint,
        status: statusOf(key, now),
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      })),
    };
  }),

  'api-key rotate': operation(
    z.strictObject({
      ...workspaceField,
      id: z.string(),
      overlapSeconds: z.coerce.number().int().min(0).default(0),
    }),
    async ({ db, clock }, { id, overlapSeconds, workspace: wanted }) => {
      const now = clock();
      const made = await transaction(db, async (tx) => {
        const workspace = await chooseWorkspace(tx, wanted);
        const rotated = await rotateApiKey(tx, { id, workspaceId: workspace.id, overlapSeconds, now });
        const audited = { action: 'api_key.rotated', target: id, detail: { overlapSeconds } };
        await recordAudit(tx, { ...byOperator(now), workspaceId: workspace.id, ...audited });
        return rotated;
      });
      return { id: made.id, key: made.key, replaces: id };
    },
  ),

  'api-key revoke': operation(
    z.strictObject({ ...workspaceField, id: z.string() }),
    async ({ db, clock }, { id, workspace: wanted }) => {
      const now = clock();
      return transaction(db, async (tx) => {
        const { id: workspaceId } = await chooseWorkspace(tx, wanted);
        if (!(await revokeApiKey(tx, { id, workspaceId, now })))
          throw new TollgateError(
            'not_found',
            `There is no valid API key "${id}"; see \`tollgate api-key list\`.`,
          );
        await recordAudit(tx, { ...byOperator(now), workspaceId, action: 'api_key.revoked', target: id });
        return { id, revoked: true };
      });
    },
  ),
};

function statusOf(key: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): string {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'valid';
}
