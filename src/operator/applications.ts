// Operations on one application: look at it, change it, switch it off and on, give it a second
// secret, delete it. What ends for its customers ends as it does on the pages of company settings.
import { z } from 'zod';
import { revokeClientInSql } from '../../adapters/revoke.ts';
import { type Application, clientRulesOf, kindOf } from '../applications/application.ts';
import {
  changeAppearance,
  changeBackchannelLogout,
  changeDevices,
  changeUris,
  deleteApplication,
  disableApplication,
  enableApplication,
} from '../applications/application-change.ts';
import { type AuditEntry, recordAudit } from '../applications/audit-log.ts';
import {
  addClientSecret,
  expireClientSecret,
  isLiveSecret,
  listClientSecrets,
} from '../applications/client-secret-list.ts';
import { encodeLogo } from '../applications/logo.ts';
import { goLive } from '../applications/test-mode.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { readBalance } from '../ledger/balance.ts';
import { giveWelcomeCredit } from '../ledger/welcome-credit.ts';
import { formatAmount } from '../money.ts';
import { checkEndpoint, createResolver, endpointRulesOf } from '../webhooks/endpoint-url.ts';
import {
  type Answer,
  byOperator,
  chooseApplication,
  type Operation,
  type OperatorDependencies,
  operation,
} from './operation.ts';

const one = z.strictObject({ application: z.string() });

export const applicationOperations: Record<string, Operation> = {
  'application show': operation(one, async ({ db, clock }, input) => {
    const application = await chooseApplication(db, input.application);
    const { amount, currency } = await readBalance(db, application.id);
    const secrets = await listClientSecrets(db, application.id);
    return {
      ...shown(application),
      balance: formatAmount(amount),
      currency,
      secrets: secrets.filter((secret) => isLiveSecret(secret, clock())).map(({ hint }) => `…${hint}`),
      createdAt: application.createdAt.toISOString(),
    };
  }),

  'application update': operation(
    one.extend({
      name: z.string().optional(),
      callback: z.array(z.string()).optional(),
      postLogout: z.array(z.string()).optional(),
      origin: z.array(z.string()).optional(),
      logo: z.base64().optional(),
    }),
    async (deps, { application: wanted, name, callback, postLogout, origin, logo: file }) => {
      const logo = file === undefined ? undefined : await encodeLogo(Buffer.from(file, 'base64'));
      return changed(deps, wanted, async (tx, before, audit) => {
        let application = before;
        if (name !== undefined || logo !== undefined) {
          application = await changeAppearance(tx, before, { name: name ?? before.name, logo });
          await audit('application.appearance_changed', { name: application.name });
        }
        if (callback ?? postLogout ?? origin) {
          const uris = {
            redirectUris: callback ?? before.redirectUris,
            postLogoutRedirectUris: postLogout ?? before.postLogoutRedirectUris,
            allowedOrigins: origin ?? before.allowedOrigins,
          };
          application = await changeUris(tx, before, uris);
          await audit('application.addresses_changed', uris);
        }
        return shown(application);
      });
    },
  ),

  'application logout': operation(
    one.extend({
      endpoint: z.string().optional(),
      session: z.boolean().optional(),
      off: z.boolean().optional(),
    }),
    async (deps, { application: wanted, endpoint, session = false, off = false }) => {
      if ((endpoint === undefined) !== off)
        throw new TollgateError('invalid_request', 'Give --endpoint with an address, or --off.');
      const rules = endpointRulesOf(deps.config);
      if (endpoint !== undefined) await checkEndpoint(endpoint, { rules, resolve: createResolver() });
      const logout = { uri: endpoint ?? null, sessionRequired: session };
      return changed(deps, wanted, async (tx, before, audit) => {
        const application = await changeBackchannelLogout(tx, before, logout);
        await audit('application.logout_changed', { url: logout.uri, session });
        return shown(application);
      });
    },
  ),

  'application devices': operation(
    one.extend({ state: z.enum(['on', 'off']) }),
    async (deps, { application, state }) =>
      changed(deps, application, async (tx, before, audit) => {
        const after = await changeDevices(tx, before, state === 'on');
        await audit('application.devices_changed', { devices: state });
        return shown(after);
      }),
  ),

  'application disable': operation(one, (deps, input) =>
    changed(deps, input.application, async (tx, { id, workspaceId, clientId }, audit) => {
      const disabled = await disableApplication(tx, { id, workspaceId }, deps.clock());
      await revokeClientInSql(tx, clientId, new Date());
      await audit('application.disabled');
      return shown(disabled);
    }),
  ),

  'application go-live': operation(one, (deps, input) =>
    changed(deps, input.application, async (tx, { id, workspaceId, clientId }, audit) => {
      const { application, customersLeft } = await goLive(tx, { id, workspaceId }, deps.clock);
      await revokeClientInSql(tx, clientId, new Date());
      const credit = { applicationId: id, workspaceId, amount: deps.config.welcomeCredit, now: deps.clock() };
      await giveWelcomeCredit(tx, credit);
      await audit('application.went_live');
      const { amount, currency } = await readBalance(tx, id);
      return {
        ...shown(application),
        testCustomersLeft: customersLeft,
        balance: formatAmount(amount),
        currency,
      };
    }),
  ),

  'application enable': operation(one, (deps, input) =>
    changed(deps, input.application, async (tx, before, audit) => {
      const enabled = await enableApplication(tx, before);
      await audit('application.enabled');
      return shown(enabled);
    }),
  ),

  'application delete': operation(one.extend({ name: z.string() }), (deps, { application, name }) =>
    changed(deps, application, async (tx, before, audit) => {
      if (name !== before.name)
        throw new TollgateError(
          'invalid_request',
          `Nothing was deleted: the application is called "${before.name}". Give this name with --name.`,
        );
      await deleteApplication(tx, before, deps.clock());
      await revokeClientInSql(tx, before.clientId, new Date());
      await audit('application.deleted', { name });
      const { amount, currency } = await readBalance(tx, before.id);
      return { applicationId: before.id, deleted: true, balanceLeft: formatAmount(amount), currency };
    }),
  ),

  'application secret': operation(
    one.extend({ overlapSeconds: z.coerce.number().int().min(0).optional() }),
    (deps, { application, overlapSeconds }) =>
      changed(deps, application, async (tx, { id, workspaceId, clientId }, audit) => {
        const now = deps.clock();
        const key = { id, workspaceId };
        const before = (await listClientSecrets(tx, id)).filter((secret) => isLiveSecret(secret, now));
        const clientSecret = await addClientSecret(tx, key, now);
        await audit('client_secret.created');
        const endsAt = overlapSeconds === undefined ? undefined : secondsAfter(now, overlapSeconds);
        for (const secret of endsAt ? before : []) {
          if (!endsAt || (secret.expiresAt && secret.expiresAt <= endsAt)) continue;
          await expireClientSecret(tx, key, { secretId: secret.id, at: endsAt, now });
          await audit('client_secret.expired', { hint: secret.hint, at: endsAt.toISOString() });
        }
        return { applicationId: id, clientId, clientSecret, olderEndAt: endsAt?.toISOString() ?? null };
      }),
  ),
};

type Audit = (action: string, detail?: AuditEntry['detail']) => Promise<void>;

/** The change and its entry in the company's audit log, together. */
function changed(
  { db, clock }: OperatorDependencies,
  wanted: string,
  change: (tx: Database, before: Application, audit: Audit) => Promise<Answer>,
): Promise<Answer> {
  return transaction(db, async (tx) => {
    const before = await chooseApplication(tx, wanted);
    const { id: target, workspaceId } = before;
    return change(tx, before, (action, detail) =>
      recordAudit(tx, { ...byOperator(clock()), workspaceId, action, target, ...(detail && { detail }) }),
    );
  });
}

function shown(application: Application): Answer {
  return {
    applicationId: application.id,
    clientId: application.clientId,
    name: application.name,
    mode: application.isTest ? 'test' : 'live',
    status: application.disabledAt ? 'disabled' : 'active',
    clientType: kindOf(application),
    clientRules: clientRulesOf(application),
    callbacks: application.isService ? [] : application.redirectUris,
    postLogout: application.postLogoutRedirectUris,
    origins: application.allowedOrigins,
    logoutEndpoint: application.backchannelLogoutUri,
    logoutSession: application.backchannelLogoutSessionRequired,
    devices: application.allowsDevices,
  };
}
