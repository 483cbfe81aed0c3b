// Operations on keys: the ones that sign tokens, and the one that everything readable
// at rest is sealed with (docs/decisions/0401).
import { z } from 'zod';
import { signingAlgorithms } from '../applications/signing-algorithm.ts';
import { transaction } from '../database/connection.ts';
import { inspectDatabase } from '../doctor/database.ts';
import {
  listSigningKeys,
  replaceSigningKeys,
  resealSigningKeys,
  rotateSigningKeys,
} from '../oidc/signing-keys/signing-keys.ts';
import { resealPairwiseKeys } from '../service/pairwise-key.ts';
import { resealSigningSecrets } from '../webhooks/signing-secret.ts';
import { type Operation, operation } from './operation.ts';

export const keyOperations: Record<string, Operation> = {
  'keys list': operation(z.strictObject({}), async ({ db, clock }) => {
    const now = clock();
    const data = (await listSigningKeys(db, now)).map(
      ({ kid, algorithm, createdAt, activatedAt, retiresAt }) => ({
        kid,
        algorithm,
        publishedAt: createdAt.toISOString(),
        signsFrom: activatedAt.toISOString(),
        leavesAt: retiresAt?.toISOString() ?? null,
      }),
    );
    return { data };
  }),

  'keys rotate': operation(
    z.strictObject({ now: z.boolean().optional(), algorithm: z.enum(signingAlgorithms).optional() }),
    async ({ db, keys, clock, signingKeysChanged }, input) => {
      const change = input.now ? replaceSigningKeys : rotateSigningKeys;
      const algorithms = input.algorithm ? [input.algorithm] : signingAlgorithms;
      const rotations = await transaction(db, (tx) => change(tx, { keys, clock }, algorithms));
      await signingKeysChanged();
      const data = rotations.map(({ kid, algorithm, activatedAt }) => ({
        kid,
        algorithm,
        signsFrom: activatedAt.toISOString(),
      }));
      return { data };
    },
  ),

  /** What a command cannot see itself while a service has the embedded database open. */
  doctor: operation(z.strictObject({}), async ({ db, keys, clock }) => ({
    findings: (await inspectDatabase({ db, keys, clock })).map((finding) => ({ ...finding })),
  })),

  /** Whatever was sealed stays readable with either secret, so each part commits by itself. */
  'keys reseal': operation(z.strictObject({}), async ({ db, keys }) => ({
    keptKeys: await transaction(db, (tx) => resealPairwiseKeys(tx, keys)),
    signingKeys: await transaction(db, (tx) => resealSigningKeys(tx, keys)),
    webhookSecrets: await resealSigningSecrets(db, keys),
  })),
};
