// The operation on the assurance of an application: how its tokens are signed, and what it asks for beyond a plain sign-in.
import { z } from 'zod';
import { type Assurance, assuranceDetail, changeAssurance } from '../applications/assurance.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { parseClientKeySet } from '../applications/client-key-set.ts';
import { signingAlgorithms } from '../applications/signing-algorithm.ts';
import { transaction } from '../database/connection.ts';
import { checkEndpoint, createResolver, endpointRulesOf } from '../webhooks/endpoint-url.ts';
import { type Answer, byOperator, chooseApplication, type Operation, operation } from './operation.ts';

const rule = z.enum(['required', 'optional']).optional();
const input = z.strictObject({
  application: z.string(),
  algorithm: z.enum(signingAlgorithms).optional(),
  authentication: z.enum(['secret', 'private_key_jwt']).optional(),
  keySet: z.string().optional(),
  keySetUri: z.string().optional(),
  pushedRequests: rule,
  signedRequests: rule,
  dpop: rule,
  fapi2: z.enum(['on', 'off']).optional(),
});

export const assuranceOperations: Record<string, Operation> = {
  'application assurance': operation(input, async (deps, asked) => {
    const { application: name, keySetUri } = asked;
    const rules = endpointRulesOf(deps.config);
    if (keySetUri !== undefined) await checkEndpoint(keySetUri, { rules, resolve: createResolver() });
    const wanted = wantedOf(asked);
    return transaction(deps.db, async (tx) => {
      const { id, workspaceId } = await chooseApplication(tx, name);
      const now = deps.clock();
      const { assurance } = await changeAssurance(tx, { id, workspaceId }, { ...wanted, now });
      await recordAudit(tx, {
        ...byOperator(now),
        workspaceId,
        action: 'application.assurance_changed',
        target: id,
        detail: assuranceDetail(wanted),
      });
      return { applicationId: id, ...shown(assurance) };
    });
  }),
};

/** Keys and their address take each other's place. */
function wantedOf(asked: z.infer<typeof input>): Partial<Assurance> {
  const { algorithm, authentication, keySet, keySetUri, pushedRequests, signedRequests, dpop, fapi2 } = asked;
  return {
    ...(algorithm && { signingAlgorithm: algorithm }),
    ...(authentication && { clientAuthentication: authentication }),
    ...(keySetUri !== undefined && { keySetUri, keySet: null }),
    ...(keySet !== undefined && { keySet: parseClientKeySet(keySet), keySetUri: null }),
    ...(pushedRequests && { requiresPushedRequests: pushedRequests === 'required' }),
    ...(signedRequests && { requiresSignedRequests: signedRequests === 'required' }),
    ...(dpop && { requiresDpop: dpop === 'required' }),
    ...(fapi2 && { isFapi2: fapi2 === 'on' }),
  };
}

function shown(assurance: Assurance): Answer {
  const ruleOf = (isRequired: boolean) => (isRequired ? 'required' : 'optional');
  return {
    algorithm: assurance.signingAlgorithm,
    authentication: assurance.clientAuthentication,
    keys: assurance.keySet ? assurance.keySet.keys.map(({ kid }) => String(kid ?? '-')) : null,
    keySetUri: assurance.keySetUri,
    pushedRequests: ruleOf(assurance.requiresPushedRequests),
    signedRequests: ruleOf(assurance.requiresSignedRequests),
    dpop: ruleOf(assurance.requiresDpop),
    fapi2: assurance.isFapi2 ? 'on' : 'off',
  };
}
