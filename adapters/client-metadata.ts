// An application as the engine wants to see it: its client metadata, read anew at each request, so that a changed
// callback, a new secret or a disabled application counts from the next request on.
import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';
import { type ClientApplication, clientApplicationsFinder } from '../src/applications/client-secret.ts';
import type { Clock } from '../src/clock.ts';
import type { AskedAhead } from '../src/database/asked-ahead.ts';
import { createReader } from '../src/database/batch.ts';
import type { Database } from '../src/database/connection.ts';
import { FIRST_PARTY_NAME, type FirstPartyClient, findFirstPartyClient } from '../src/first-party/clients.ts';
import { trialCallbackPath, trialClientId, triedClientId } from '../src/first-party/trial.ts';
import { readBatches } from '../src/limits/protocol.ts';
import { requestOfEngine } from './records-of-request.ts';

export type ClientSource = (clientId: string) => Promise<ClientMetadata | undefined>;

/** Unknown, deleted and disabled applications are the same to everyone who asks. */
export function createClientSource(options: {
  lookUps: Database;
  clock: Clock;
  baseUrl: string;
  /** The operator forbids compatible client rules. */
  strictClientsOnly: boolean;
}): ClientSource {
  const { lookUps, clock, baseUrl, strictClientsOnly } = options;
  const find = clientApplicationsFinder(lookUps);
  const read = createReader({
    async find(clientIds) {
      const found = await find(clientIds, clock());
      const ruled = strictClientsOnly ? found.map((each) => ({ ...each, isCompatible: false })) : found;
      return enabledOnes(ruled);
    },
    ...readBatches,
  });
  return async (clientId) => {
    const own = findFirstPartyClient(clientId);
    if (own) return ownClient(own, baseUrl);
    // PostgreSQL refuses text with a zero character, and nobody's Client ID has one.
    if (clientId.includes('\0')) return undefined;
    const tried = triedClientId(clientId);
    if (tried === undefined) return clientOf(await read(clientId));
    const application = await read(tried);
    return application && trialClient(application, baseUrl);
  };
}

function enabledOnes(found: ClientApplication[]): Map<string, ClientApplication> {
  const enabled = found.filter(({ disabledAt }) => disabledAt === null);
  return new Map(enabled.map((application) => [application.clientId, application]));
}

function clientOf(application: ClientApplication | undefined): ClientMetadata | undefined {
  if (!application) return undefined;
  return application.clientType === 'public' ? publicClient(application) : confidentialClient(application);
}

type Described = Pick<
  ClientApplication,
  'id' | 'clientId' | 'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'isCompatible'
> &
  Partial<
    Pick<
      ClientApplication,
      'workspaceId' | 'isTest' | 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired'
    >
  >;

function publicClient(application: ClientApplication): ClientMetadata {
  return {
    ...commonMetadata(application),
    token_endpoint_auth_method: 'none',
    allowedOrigins: originsOf(application),
  };
}

/** Where the code arrives is where the page is that exchanges it; other origins are listed. */
function originsOf({ redirectUris, allowedOrigins }: ClientApplication): string[] {
  return [...new Set([...redirectUris.map((uri) => new URL(uri).origin), ...allowedOrigins])];
}

function confidentialClient(
  application: Described & Pick<ClientApplication, 'secretHashes'>,
): ClientMetadata {
  return {
    ...commonMetadata(application),
    // The engine takes Basic from such a client as well.
    token_endpoint_auth_method: 'client_secret_post',
    // The engine insists on some value. Never compared: src/oidc/client.ts looks at `secretHashes` instead.
    client_secret: 'kept as hashes',
    secretHashes: application.secretHashes,
  };
}

/**
 * Our own pages. They take their codes in the process (src/oidc/first-party.ts); as a client whose secret does not exist
 * they are refused at every endpoint that a program can ask, the token endpoint first of all, and so never charged.
 */
function ownClient({ clientId, callbackPath, path }: FirstPartyClient, baseUrl: string): ClientMetadata {
  const described = {
    id: clientId,
    clientId,
    name: FIRST_PARTY_NAME,
    redirectUris: [baseUrl + callbackPath],
    postLogoutRedirectUris: [`${baseUrl}${path}/signed-out`],
    isCompatible: false,
    secretHashes: [],
  };
  return { ...confidentialClient(described), scope: 'openid' };
}

/** Like our own pages, under the application's name and with its subject identifiers. */
function trialClient(application: ClientApplication, baseUrl: string): ClientMetadata {
  return confidentialClient({
    ...application,
    clientId: trialClientId(application.clientId),
    redirectUris: [baseUrl + trialCallbackPath(application)],
    postLogoutRedirectUris: [],
    secretHashes: [],
  });
}

function commonMetadata(application: Described) {
  return {
    client_id: application.clientId,
    client_name: application.name,
    redirect_uris: application.redirectUris,
    post_logout_redirect_uris: application.postLogoutRedirectUris,
    response_types: ['code' as const],
    // The second is src/oidc/posted-answer.ts.
    response_modes: ['query', 'form_post.page'],
    grant_types: ['authorization_code', 'refresh_token'],
    // `web` means that callbacks are compared as raw strings.
    application_type: 'web' as const,
    subject_type: 'pairwise' as const,
    // Required once callbacks have more than one host; nothing ever fetches it.
    sector_identifier_uri: `https://sector.invalid/${application.id}`,
    id_token_signed_response_alg: 'RS256' as const,
    applicationId: application.id,
    ...(application.workspaceId && { workspaceId: application.workspaceId }),
    isCompatible: application.isCompatible,
    ...(application.isTest && { isTest: true }),
    // Not the standard's names, by which the engine would send logout tokens itself (src/oidc/logout-token.ts).
    namesSession: Boolean(application.backchannelLogoutUri && application.backchannelLogoutSessionRequired),
  };
}

/** Applications are written by their own room; the engine only reads them. */
export class ClientAdapter implements Adapter {
  readonly #clients: AskedAhead<ClientMetadata | undefined>;

  constructor(clients: AskedAhead<ClientMetadata | undefined>) {
    this.#clients = clients;
  }

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    return this.#clients.find(requestOfEngine(), clientId);
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async upsert(): Promise<void> {
    throw new Error('the engine must not write applications');
  }

  async destroy(): Promise<void> {
    throw new Error('the engine must not delete applications');
  }

  async consume(): Promise<void> {
    throw new Error('applications are not consumed');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('applications have no grant');
  }
}
