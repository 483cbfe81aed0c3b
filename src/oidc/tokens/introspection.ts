// Who learns what about a token (RFC 7662): an application about its own, and the applications that a company chose for an
// API about tokens for that API. Everybody else reads that it is not active, as if it did not exist (RFC 7662 §4).
import type { Configuration } from 'oidc-provider';
import { isPublic } from '../clients/client.ts';
import type { ResourcesOfRequest } from './tokens-for-apis.ts';

type Feature = NonNullable<NonNullable<Configuration['features']>['introspection']>;
type AllowedPolicy = NonNullable<Feature['allowedPolicy']>;

export function introspectionPolicy(resources: ResourcesOfRequest): AllowedPolicy {
  return async (ctx, client, token) => {
    if (isPublic(client)) return false;
    const isOwn = token.clientId === client.clientId;
    // For UserInfo, or a refresh token: nobody else's business.
    const identifier = 'aud' in token ? token.aud : undefined;
    if (identifier === undefined || token.clientId === undefined) return isOwn;
    if (typeof identifier !== 'string') return false;
    const [asked, issued] = await Promise.all(
      [client.clientId, token.clientId].map((clientId) => resources.find(ctx.req, { clientId, identifier })),
    );
    // The API is gone, or its company has taken it from the application since.
    if (!issued?.mayAsk) return false;
    // Deleted since and registered again: what was issued before is not for this one.
    if (Number(token.iat) < Math.floor(issued.registeredAt.getTime() / 1000)) return false;
    if (isOwn) return true;
    // One that is switched off is unknown to the engine; what it holds is worth nothing meanwhile.
    return (
      asked?.mayIntrospect === true && (await ctx.oidc.provider.Client.find(token.clientId)) !== undefined
    );
  };
}
