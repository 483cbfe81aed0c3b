// An application as the engine wants to see it: its client metadata, read anew at each request, so that a changed
// callback, a new secret or a disabled application counts from the next request on.
import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';
import { kindOf } from '../src/applications/application.ts';
import { assuranceOf } from '../src/applications/assurance.ts';
import { type ClientApplication, clientApplicationsFinder } from '../src/applications/client-secret.ts';
import type { Clock } from '../src/clock.ts';
import type { AskedAhead } from '../src/database/asked-ahead.ts';
import { createReader } from '../src/database/batch.ts';
import type { Database } from '../src/database/connection.ts';
import { FIRST_PARTY_NAME, type FirstPartyClient, findFirstPartyClient } from '../src/first-party/clients.ts';
import { trialCallbackPath, trialClientId, triedClientId } from '../src/first-party/trial.ts';
import { readBatches } from '../src/limits/stores.ts';
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
    return application && !application.isService ? trialClient(application, baseUrl) : undefined;
  };
}

function enabledOnes(found: ClientApplication[]): Map<string, ClientApplication> {
  const enabled = found.filter(({ disabledAt }) => disabledAt === null);
  return new Map(enabled.map((application) => [application.clientId, application]));
}

function clientOf(application: ClientApplication | undefined): ClientMetadata | undefined {
  if (!application) return undefined;
  return clientOfKind[kindOf(application)](application);
}

const clientOfKind = {
  public: publicClient,
  confidential: backendClient,
  service: serviceClient,
};

type Described = Pick<
  ClientApplication,
  'id' | 'clientId' | 'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'isCompatible'
> &
  Partial<
    Pick<
      ClientApplication,
      | 'workspaceId'
      | 'isTest'
      | 'backchannelLogoutUri'
      | 'backchannelLogoutSessionRequired'
      | 'allowsDevices'
      | 'assurance'
    >
  >;

function publicClient(application: ClientApplication): ClientMetadata {
  return {
    ...commonMetadata(application),
    token_endpoint_auth_method: 'none',
    dpop_bound_access_tokens: assuranceOf(application.assurance).requiresDpop,
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
    // The engine insists on some value. Never compared: src/oidc/clients/client.ts looks at `secretHashes` instead.
    client_secret: 'kept as hashes',
    secretHashes: application.secretHashes,
  };
}

/** With what its company has chosen beyond a plain sign-in (docs/decisions/1206). */
function backendClient(application: ClientApplication): ClientMetadata {
  const assurance = assuranceOf(application.assurance);
  const { keySet, keySetUri } = assurance;
  const demands = {
    require_pushed_authorization_requests: assurance.requiresPushedRequests,
    require_signed_request_object: assurance.requiresSignedRequests,
    dpop_bound_access_tokens: assurance.requiresDpop,
    ...(keySet && { jwks: keySet }),
    ...(keySetUri && { jwks_uri: keySetUri }),
    isFapi2: assurance.isFapi2,
  };
  if (assurance.clientAuthentication === 'secret') return { ...confidentialClient(application), ...demands };
  const isCompatible = application.isCompatible && !assurance.isFapi2;
  return {
    ...commonMetadata({ ...application, isCompatible }),
    token_endpoint_auth_method: 'private_key_jwt',
    ...demands,
  };
}

/** No person signs in to it, so it can ask for tokens of its own and for nothing else. */
function serviceClient(application: ClientApplication): ClientMetadata {
  return {
    ...backendClient(application),
    redirect_uris: [],
    response_types: [],
    grant_types: ['client_credentials'],
  };
}

/**
 * Our own pages. They take their codes in the process (src/oidc/tokens/first-party-sign-in.ts); as a client whose secret does not exist
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
    allowsDevices: false,
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
    // What is pushed may name them all, so that src/oidc/authorization-request/request-rules.ts says what is wrong; the last one is
    // src/oidc/authorization-request/form-post-answer.ts, which stands in for the one before.
    response_modes: ['query', 'fragment', 'form_post', 'form_post.page'],
    grant_types: ['authorization_code', 'refresh_token'],
    // `web` means that callbacks are compared as raw strings.
    application_type: 'web' as const,
    subject_type: 'pairwise' as const,
    // Required once callbacks have more than one host; nothing ever fetches it.
    sector_identifier_uri: `https://sector.invalid/${application.id}`,
    id_token_signed_response_alg: assuranceOf(application.assurance).signingAlgorithm,
    applicationId: application.id,
    ...(application.workspaceId && { workspaceId: application.workspaceId }),
    isCompatible: application.isCompatible,
    ...(application.isTest && { isTest: true }),
    ...(application.allowsDevices && { allowsDevices: true }),
    // Not the standard's names, by which the engine would send logout tokens itself (src/oidc/sessions/logout-token.ts).
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
