// How much more than a plain sign-in an application asks for: the algorithm of its tokens, pushed and signed requests,
// authentication by its own keys, tokens bound to a key, and FAPI 2.0, which is all of it (docs/decisions/1206). What is
// stored was checked here, and the database checks it again.
import { eq } from 'drizzle-orm';
import { assurances } from '../../drizzle/schema/assurances.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { Application } from './application.ts';
import { lockApplication, type OwnApplication } from './application-change.ts';
import { defaultSigningAlgorithm } from './signing-algorithm.ts';

type Row = typeof assurances.$inferSelect;

export type Assurance = Omit<Row, 'applicationId' | 'changedAt'>;

export const plainAssurance: Assurance = {
  signingAlgorithm: defaultSigningAlgorithm,
  requiresPushedRequests: false,
  clientAuthentication: 'secret',
  keySet: null,
  keySetUri: null,
  requiresDpop: false,
  requiresSignedRequests: false,
  isFapi2: false,
};

export async function findAssurance(db: Database, applicationId: string): Promise<Assurance> {
  const [row] = await db.select().from(assurances).where(eq(assurances.applicationId, applicationId));
  return assuranceOf(row);
}

export function assuranceOf(row: Row | null | undefined): Assurance {
  if (!row) return plainAssurance;
  const { applicationId: _id, changedAt: _at, ...assurance } = row;
  return assurance;
}

/**
 * What is not named stays, except that FAPI 2.0 brings what it demands.
 * @throws TollgateError invalid_request with the sentence for the person who asked for it.
 */
export async function changeAssurance(
  tx: Database,
  key: OwnApplication,
  { now, ...wanted }: Partial<Assurance> & { now: Date },
): Promise<{ application: Application; assurance: Assurance }> {
  const application = await lockApplication(tx, key);
  const assurance = withDemands({ ...(await findAssurance(tx, key.id)), ...wanted });
  const problem = problemOf(application, assurance);
  if (problem) throw new TollgateError('invalid_request', problem);
  const values = { ...assurance, changedAt: now };
  await tx
    .insert(assurances)
    .values({ applicationId: key.id, ...values })
    .onConflictDoUpdate({ target: assurances.applicationId, set: values });
  return { application, assurance };
}

/** FAPI 2.0 Security Profile §5.3.2: pushed requests, keys instead of a secret, bound tokens, no RS256. */
function withDemands(assurance: Assurance): Assurance {
  if (!assurance.isFapi2) return assurance;
  const { signingAlgorithm } = assurance;
  return {
    ...assurance,
    signingAlgorithm: signingAlgorithm === 'RS256' ? 'ES256' : signingAlgorithm,
    requiresPushedRequests: true,
    clientAuthentication: 'private_key_jwt',
    requiresDpop: true,
  };
}

/** @returns what cannot work, as a sentence; undefined when everything can. */
function problemOf({ clientType }: Application, wanted: Assurance): string | undefined {
  const isSigning = wanted.clientAuthentication === 'private_key_jwt' || wanted.requiresSignedRequests;
  const hasKeys = wanted.keySet !== null || wanted.keySetUri !== null;
  const needsBackend = isSigning || wanted.requiresPushedRequests || wanted.isFapi2;
  if (clientType === 'public' && needsBackend)
    return 'A public application can’t authenticate, so it can’t push requests, sign them or use FAPI 2.0.';
  if (wanted.keySet !== null && wanted.keySetUri !== null)
    return 'Give the keys themselves or their address, not both.';
  if (isSigning && !hasKeys)
    return 'Enter your backend’s public keys first: the JSON Web Key Set, or the address where it is.';
  if (wanted.requiresSignedRequests && !wanted.requiresPushedRequests)
    return 'Signed requests are taken as pushed requests only: require those as well.';
  return undefined;
}

/** For the audit log: what was asked for. Public keys are no secret, but too long for a line. */
export function assuranceDetail(wanted: Partial<Assurance>): Record<string, string | boolean> {
  const { keySet, keySetUri, ...chosen } = wanted;
  const keys = keySet ? `${keySet.keys.length} of its own` : keySetUri;
  return { ...chosen, ...(keys && { keys }) };
}
