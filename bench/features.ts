// What each part of the protocol that an application may ask for adds to a sign-in of somebody who has a session: one
// connection, one sign-in of each kind in turn, each compared with the plain one of the same run.
import { eq } from 'drizzle-orm';
import { consents } from '../drizzle/schema/customers.ts';
import { type Assurance, changeAssurance } from '../src/applications/assurance.ts';
import { agreedScope } from '../src/applications/resource.ts';
import { transaction } from '../src/database/connection.ts';
import { createProofKey, type ProofKey } from '../test/crash-harness/proof-key.ts';
import { ORDERS, registerResource } from '../test/harness/resource.ts';
import { type BenchApplication, type BenchDatabase, createBenchDatabase, createCompany } from './company.ts';
import {
  assertionFields,
  authorize,
  type ClientKey,
  type Fields,
  keySetOf,
  newClientKey,
  post,
  signedRequest,
} from './feature-client.ts';
import { type HttpConnection, headerOf, openHttpConnection } from './http-connection.ts';
import { median } from './load.ts';
import { say } from './report.ts';
import { startTollgate } from './service.ts';
import { authorizationParameters, VERIFIER } from './sign-in.ts';

type Feature = {
  name: string;
  assurance?: Partial<Assurance>;
  /** What the request has besides. */
  request?: Fields;
  isPushed?: true;
  isSigned?: true;
  isBound?: true;
};

const features: Feature[] = [
  { name: 'plain' },
  { name: 'the answer as a form', request: { response_mode: 'form_post' } },
  { name: 'a pushed request', isPushed: true },
  { name: 'a pushed request, signed', isPushed: true, isSigned: true },
  { name: 'private_key_jwt', assurance: { clientAuthentication: 'private_key_jwt' } },
  { name: 'tokens bound by DPoP', isBound: true },
  { name: 'a JWT for an API', request: { resource: ORDERS, scope: 'openid email orders:read' } },
  { name: 'an ID Token with ES256', assurance: { signingAlgorithm: 'ES256' } },
  { name: 'an ID Token with EdDSA', assurance: { signingAlgorithm: 'EdDSA' } },
  { name: 'FAPI 2.0', isPushed: true, isBound: true, assurance: { isFapi2: true } },
];
const WARM_UP_ROUNDS = 20;

type World = {
  issuer: string;
  connection: HttpConnection;
  key: ClientKey;
  person: { cookie: string };
  /** That tokens are bound to. */
  proofKey: ProofKey;
};

export async function benchFeatures({ rounds }: { rounds: number }): Promise<void> {
  const database = await createBenchDatabase();
  const company = await createCompany(database, { applications: features.length, people: 1 });
  const key = await newClientKey();
  const applications = await Promise.all(
    features.map(async (feature, index) => {
      const application = company.applications[index];
      if (!application) throw new Error('one application for each');
      if (feature.assurance || feature.isSigned)
        await assure(database, { ...company, application, key, feature });
      return application;
    }),
  );
  await offerApi(database, company);
  const { child, target } = await startTollgate(database, company);
  const [person] = target.people;
  if (!person) throw new Error('nobody to sign in');
  const connection = await openHttpConnection(target.port);
  const issuer = `http://127.0.0.1:${target.port}`;
  const world: World = { issuer, connection, key, person, proofKey: await createProofKey({ url: issuer }) };
  const times = features.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const [index, feature] of features.entries()) {
      const application = applications[index];
      if (!application) continue;
      const milliseconds = await signInWith(world, application, feature);
      if (round >= 0) times[index]?.push(milliseconds);
    }
  }
  sayPrices(times);
  connection.close();
  await child.stop();
  await database.remove();
}

function sayPrices(times: number[][]): void {
  say(
    `\n12. What each part of the protocol adds to a sign-in: one connection, ${times[0]?.length} of each in turn`,
  );
  const plain = median(times[0] ?? []);
  for (const [index, { name }] of features.entries()) {
    const milliseconds = median(times[index] ?? []);
    const added = milliseconds - plain;
    say(
      `${name.padEnd(28)}${milliseconds.toFixed(1).padStart(7)} ms  ${added >= 0 ? '+' : ''}${added.toFixed(1)} ms  ${(milliseconds / plain).toFixed(2)} of the plain one`,
    );
  }
}

type Setup = { workspaceId: string; application: BenchApplication; key: ClientKey; feature: Feature };

async function assure(
  { connection: { db } }: BenchDatabase,
  { workspaceId, application: { id }, key, feature }: Setup,
): Promise<void> {
  const keySet = feature.isSigned || usesKey(feature) ? { keySet: keySetOf(key) } : {};
  await transaction(db, (tx) =>
    changeAssurance(tx, { id, workspaceId }, { ...keySet, ...feature.assurance, now: new Date() }),
  );
}

/** To all of them, and everybody has agreed to its scope. */
async function offerApi(
  { connection: { db } }: BenchDatabase,
  { workspaceId, applications }: { workspaceId: string; applications: BenchApplication[] },
): Promise<void> {
  const ids = applications.map(({ id }) => id);
  await registerResource(db, { workspaceId, askingIds: ids });
  const scopes = ['email', 'openid', 'profile', agreedScope(ORDERS, 'orders:read')];
  for (const id of ids) await db.update(consents).set({ scopes }).where(eq(consents.applicationId, id));
}

/** @returns milliseconds of the service's answers, without what the client computes in between. */
async function signInWith(world: World, application: BenchApplication, feature: Feature): Promise<number> {
  const { connection, person, proofKey } = world;
  const stopwatch = createStopwatch();
  const parameters = { ...authorizationParameters(application), ...feature.request };
  const query = feature.isPushed
    ? await push(world, application, { feature, parameters, stopwatch })
    : parameters;
  const code = await stopwatch.time(() => authorize(connection, query, person));
  const { resource } = feature.request ?? {};
  const fields = {
    grant_type: 'authorization_code',
    redirect_uri: application.redirectUri,
    code_verifier: VERIFIER,
    code,
    ...(resource && { resource }),
    ...(await authenticate(world, application, feature)),
  };
  const ask = async () => {
    const headers = feature.isBound ? { DPoP: await proofKey.prove('POST', '/oauth/token') } : undefined;
    const answer = await stopwatch.time(() => post(connection, '/oauth/token', fields, headers));
    const nonce = headerOf(answer.head, 'dpop-nonce');
    if (nonce !== undefined) proofKey.hear({ headers: new Headers({ 'dpop-nonce': nonce }) });
    return { ...answer, asksForNonce: answer.status === 400 && answer.body.includes('use_dpop_nonce') };
  };
  // The very first proof has no nonce to carry.
  const first = await ask();
  const answer = first.asksForNonce ? await ask() : first;
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer)}`);
  return stopwatch.milliseconds();
}

type Push = { feature: Feature; parameters: Fields; stopwatch: ReturnType<typeof createStopwatch> };

/** @returns what the browser carries instead. */
async function push(
  world: World,
  application: BenchApplication,
  { feature, parameters, stopwatch }: Push,
): Promise<Fields> {
  const { issuer, connection, key } = world;
  const request = feature.isSigned
    ? { request: await signedRequest(issuer, application, key, parameters) }
    : parameters;
  const fields = { ...request, ...(await authenticate(world, application, feature)) };
  const answer = await stopwatch.time(() => post(connection, '/oauth/par', fields));
  if (answer.status !== 201) throw new Error(`not pushed: ${answer.head} ${answer.body}`);
  return { client_id: application.clientId, request_uri: String(JSON.parse(answer.body).request_uri) };
}

function authenticate({ issuer, key }: World, application: BenchApplication, feature: Feature) {
  if (usesKey(feature)) return assertionFields(issuer, application, key);
  return { client_id: application.clientId, client_secret: application.clientSecret };
}

function usesKey({ assurance }: Feature): boolean {
  return assurance?.clientAuthentication === 'private_key_jwt' || assurance?.isFapi2 === true;
}

function createStopwatch() {
  let total = 0;
  return {
    async time<T>(work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      const result = await work();
      total += performance.now() - startedAt;
      return result;
    },
    milliseconds: () => total,
  };
}
