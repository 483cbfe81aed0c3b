// Which APIs a client may have tokens for, and what those tokens are (RFC 8707, RFC 9068; docs/decisions/1203): what the
// engine asks about `resource`. Who names no resource costs nothing.
import {
  type Client,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import {
  type ClientResource,
  type ClientResourceKey,
  clientResourcesFinder,
} from '../../applications/resource-list.ts';
import { createBatcher } from '../../database/batch.ts';
import type { Database } from '../../database/connection.ts';
import { isStorableText } from '../../http/storable-text.ts';
import { resourcesPerRequest } from '../../limits/applications.ts';
import { readBatches } from '../../limits/stores.ts';
import { requireScopeOf } from '../authorization-request/request-rules.ts';
import { isDeviceRequest } from '../devices/device-request.ts';

/** Asked once for each request, however often the engine asks. */
export type ResourcesOfRequest = {
  find(request: object, key: ClientResourceKey): Promise<ClientResource | undefined>;
};

export function createResourcesOfRequest(lookUps: Database): ResourcesOfRequest {
  const findResources = clientResourcesFinder(lookUps);
  const read = createBatcher<ClientResourceKey, ClientResource | undefined>({
    async run(keys) {
      const found = await findResources(keys);
      return keys.map((key) => ({ value: found.find((resource) => isSame(resource, key)) }));
    },
    ...readBatches,
  });
  const known = new WeakMap<object, Map<string, Promise<ClientResource | undefined>>>();
  return {
    async find(request, key) {
      if (!isStorableText(key.clientId) || !isStorableText(key.identifier)) return undefined;
      const answers = known.get(request) ?? new Map<string, Promise<ClientResource | undefined>>();
      known.set(request, answers);
      const name = JSON.stringify([key.clientId, key.identifier]);
      const answer = answers.get(name) ?? read(key);
      // Who asked ahead may never come for it.
      answer.catch(() => undefined);
      answers.set(name, answer);
      return answer;
    },
  };
}

function isSame(one: ClientResourceKey, other: ClientResourceKey): boolean {
  return one.clientId === other.clientId && one.identifier === other.identifier;
}

/** The identifiers that a request names, at most as many as it may. */
export function namedResources(resource: unknown): string[] {
  const named = Array.isArray(resource) ? resource : [resource];
  return named
    .filter((identifier): identifier is string => typeof identifier === 'string' && identifier !== '')
    .slice(0, resourcesPerRequest);
}

type Feature = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

export function resourceIndicators(resources: ResourcesOfRequest): Feature {
  return {
    enabled: true,
    defaultResource,
    getResourceServerInfo: (ctx, identifier, client) =>
      resourceServer(ctx, resources, { identifier, client }),
    // A client that named one API in the authorization request means it (RFC 8707 §2.2); of several it has to name one, and
    // otherwise gets a token for UserInfo.
    useGrantedResource: (_ctx, { resource }) => typeof resource === 'string',
  };
}

/** A service has no UserInfo that a token could be for otherwise. */
function defaultResource(ctx: KoaContextWithOIDC, _client: Client, oneOf?: readonly string[]) {
  if (!oneOf && isWithoutPerson(ctx))
    throw new errors.InvalidTarget('resource is missing: it names the API that the token is for');
  return oneOf;
}

function isWithoutPerson({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.grant_type === 'client_credentials';
}

async function resourceServer(
  ctx: KoaContextWithOIDC,
  resources: ResourcesOfRequest,
  { identifier, client }: { identifier: string; client: Client },
): Promise<ResourceServer> {
  // Its page would have to name the APIs as well.
  if (isDeviceRequest(ctx))
    throw new errors.InvalidTarget('resource is not available for signing in on devices');
  const asked = ctx.oidc.params?.resource;
  if (Array.isArray(asked) && asked.length > resourcesPerRequest)
    throw new errors.InvalidTarget(`resource is given more than ${resourcesPerRequest} times`);
  const found = await resources.find(ctx.req, { clientId: client.clientId, identifier });
  // What does not exist and what is somebody else's are the same.
  if (!found?.mayAsk)
    throw new errors.InvalidTarget('resource is unknown, or not one that this application may ask for');
  const { scopes, tokenFormat, tokenSeconds } = found;
  if (isWithoutPerson(ctx)) requireScopeOf(identifier, new Set(scopes), [...ctx.oidc.requestParamScopes]);
  return {
    scope: scopes.join(' '),
    accessTokenFormat: tokenFormat,
    accessTokenTTL: tokenSeconds,
    // RFC 9068 §2.1: the one algorithm that every API has to know. Which application asks makes no difference to it.
    ...(tokenFormat === 'jwt' && { jwt: { sign: { alg: 'RS256' } } }),
  };
}
