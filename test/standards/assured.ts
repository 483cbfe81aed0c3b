// Applications with more than a plain sign-in, and the stock clients that know how to be one.
import * as client from 'openid-client';
import { type Assurance, changeAssurance } from '../../src/applications/assurance.ts';
import { transaction } from '../../src/database/connection.ts';
import { CALLBACK, type Protocol, type ProtocolApplication } from '../harness/protocol.ts';
import {
  type Answer,
  authorizationRequest,
  Browser,
  type Parameters,
  post,
} from '../harness/protocol-client.ts';

export async function assure(
  protocol: Pick<Protocol, 'db'>,
  { id, workspaceId }: Pick<ProtocolApplication, 'id' | 'workspaceId'>,
  wanted: Partial<Assurance>,
): Promise<void> {
  await transaction(protocol.db, (tx) =>
    changeAssurance(tx, { id, workspaceId }, { ...wanted, now: new Date() }),
  );
}

/** What a browser would carry, for whichever door. */
export function requestOf(application: ProtocolApplication, changed: Parameters = {}) {
  const { path, verifier, state, nonce } = authorizationRequest(application, changed);
  const parameters = Object.fromEntries(new URL(path, 'https://any.test').searchParams);
  return { parameters, verifier, state, nonce };
}

/** A backend that pushes with its Client Secret. */
export async function push(
  protocol: Protocol,
  application: ProtocolApplication,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const secret = application.clientSecret === undefined ? {} : { client_secret: application.clientSecret };
  return post(protocol, '/oauth/par', { ...parameters, ...secret }, headers);
}

export async function bring(
  protocol: Protocol,
  application: ProtocolApplication,
  requestUri: unknown,
  browser = new Browser(protocol),
): Promise<Response> {
  const query = new URLSearchParams({ client_id: application.clientId, request_uri: String(requestUri) });
  return browser.follow(`/oauth/authorize?${query}`);
}

/** openid-client as its documentation has it; it is told that plain HTTP is fine, since the service is on loopback. */
export async function discover(
  protocol: Protocol,
  application: ProtocolApplication,
  authentication?: client.ClientAuth,
  metadata: Partial<client.ClientMetadata> = {},
): Promise<client.Configuration> {
  const secret = application.clientSecret;
  return client.discovery(
    new URL(protocol.origin),
    application.clientId,
    { ...(secret && !authentication ? { client_secret: secret } : {}), ...metadata },
    authentication,
    { execute: [client.allowInsecureRequests] },
  );
}

/** The parameters and checks of an attempt, as the documentation of openid-client makes them. */
export async function attempt(scope = 'openid email offline_access') {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  return {
    parameters: {
      redirect_uri: CALLBACK,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    },
    checks: { pkceCodeVerifier, expectedState, expectedNonce },
  };
}

/** The callback that a browser ends at. */
export async function callbackUrl(
  protocol: Protocol,
  address: URL,
  browser = new Browser(protocol),
): Promise<URL> {
  const response = await browser.follow(address.pathname + address.search);
  return new URL(response.headers.get('location') ?? 'https://no.callback.test');
}
