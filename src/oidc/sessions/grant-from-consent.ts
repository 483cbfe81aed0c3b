// Consent belongs to a person and an application and lasts; the engine's grant belongs to one browser session, and
// all of its codes and tokens hang on it. Ending a session or punishing a replayed code so ends one grant, and the
// person is not asked again.
import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { type ConsentKey, consentKey, consentsFinder } from '../../applications/consent.ts';
import { ownScopesOf, scopesAgreedAt } from '../../applications/resource.ts';
import { scopeOfClaim } from '../../applications/scopes.ts';
import { type AskedAhead, createAskedAhead } from '../../database/asked-ahead.ts';
import { createBatcher } from '../../database/batch.ts';
import type { Database } from '../../database/connection.ts';
import { findFirstPartyClient } from '../../first-party/clients.ts';
import { triedClientId } from '../../first-party/trial.ts';
import { readBatches } from '../../limits/stores.ts';
import { clientOf } from '../engine/engine-context.ts';
import { sidOf } from './logout-token.ts';

/** The scopes that a person agreed to for a client; a trial is covered by what was agreed to for its application. */
export type ConsentsAhead = AskedAhead<string[] | undefined, ConsentKey>;

export function createConsentsAhead(lookUps: Database): ConsentsAhead {
  const findConsents = consentsFinder(lookUps);
  const readConsent = createBatcher<ConsentKey, string[] | undefined>({
    async run(keys) {
      const found = await findConsents(keys);
      return keys.map((key) => ({ value: found.get(consentKey(key)) }));
    },
    ...readBatches,
  });
  const read = ({ clientId, accountId }: ConsentKey) =>
    readConsent({ clientId: triedClientId(clientId) ?? clientId, accountId });
  return createAskedAhead(read, consentKey);
}

/**
 * @returns the session's grant with what the person agreed to; undefined asks for consent. Our own pages need none: they
 * learn nothing that the service does not know.
 */
export function grantFromConsent(consents: ConsentsAhead) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { account, provider, session } = ctx.oidc;
    const client = clientOf(ctx.oidc);
    if (!account || !session) return undefined;
    const consented = findFirstPartyClient(client.clientId)
      ? []
      : await consents.find(ctx.req, { clientId: client.clientId, accountId: account.accountId });
    if (!consented) return undefined;
    const grantId = session.grantIdFor(client.clientId);
    const existing = grantId ? await provider.Grant.find(grantId) : undefined;
    const isReusable = existing?.accountId === account.accountId && existing.clientId === client.clientId;
    const grant = isReusable
      ? existing
      : new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    await addAgreed(ctx, grant, consented);
    session.sidFor(client.clientId, sidOf(grant.jti));
    return grant;
  };
}

async function addAgreed(ctx: KoaContextWithOIDC, grant: Grant, consented: string[]): Promise<void> {
  const granted = grant.getOIDCScope().split(' ');
  const agreed = new Set(['openid', ...ownScopesOf(consented)]);
  const missing = [...agreed].filter((scope) => !granted.includes(scope));
  const claims = missingClaims(ctx, grant, agreed);
  const isMore = addAgreedAtResources(ctx, grant, consented);
  if (missing.length === 0 && claims.length === 0 && !isMore) return;
  if (missing.length > 0) grant.addOIDCScope(missing);
  if (claims.length > 0) grant.addOIDCClaims(claims);
  await grant.save();
}

/** Of the APIs that this request names. @returns whether there was anything to add. */
function addAgreedAtResources({ oidc }: KoaContextWithOIDC, grant: Grant, consented: string[]): boolean {
  const missing = Object.keys(oidc.resourceServers ?? {}).map((identifier) => {
    const granted = grant.getResourceScope(identifier).split(' ');
    const scopes = scopesAgreedAt(identifier, consented).filter((scope) => !granted.includes(scope));
    if (scopes.length > 0) grant.addResourceScope(identifier, scopes);
    return scopes;
  });
  return missing.flat().length > 0;
}

/** Single claims that are asked for, within what was agreed to by scope; the engine asks for consent to the others. */
function missingClaims({ oidc }: KoaContextWithOIDC, grant: Grant, agreed: Set<string>): string[] {
  if (oidc.params?.claims === undefined) return [];
  const granted = grant.getOIDCClaims();
  return [...oidc.requestParamClaims].filter(
    (claim) => agreed.has(scopeOfClaim(claim) ?? '') && !granted.includes(claim),
  );
}
