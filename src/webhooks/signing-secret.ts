// The secret that signs a subscription's webhooks: shown once, sealed at rest, and replaced without a
// gap. During a rotation both secrets sign; at `nextSecretAt` the new one takes over.
import { and, asc, eq, gt } from 'drizzle-orm';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../clock.ts';
import { inBites } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { webhookSecretOverlapSeconds } from '../limits/webhooks.ts';
import { type Keys, randomSecret, resealed, type Sealed, seal, unseal } from '../secrets.ts';
import type { SigningSecrets } from './signature.ts';

type SealingKeys = Pick<Keys, 'sealing'>;
type SealedSecrets = Pick<
  typeof webhookSubscriptions.$inferSelect,
  'id' | 'sealedSecret' | 'sealedNextSecret' | 'nextSecretAt'
>;

/** The prefix lets secret scanners and people recognise it. */
export function newSigningSecret(
  keys: SealingKeys,
  subscriptionId: string,
): { secret: string; sealed: string } {
  const secret = `whsec_${randomSecret()}`;
  return { secret, sealed: seal(keys, secret, sealingContext(subscriptionId)) };
}

export function signingSecrets(keys: SealingKeys, row: SealedSecrets, now: Date): SigningSecrets {
  const open = (sealed: string) => unseal(keys, sealed, sealingContext(row.id));
  const { sealed, sealedNext } = currentAndNext(row, now);
  return { current: open(sealed), ...(sealedNext && { next: open(sealedNext) }) };
}

/** For the page that checks a received request: also the secret that was replaced last, while its row remembers it. */
export function secretsOverTime(
  keys: SealingKeys,
  row: SealedSecrets,
  now: Date,
): SigningSecrets & { previous?: string; changesAt?: Date } {
  const secrets = signingSecrets(keys, row, now);
  if (!row.sealedNextSecret || !row.nextSecretAt) return secrets;
  const changesAt = row.nextSecretAt;
  if (changesAt > now) return { ...secrets, changesAt };
  return { ...secrets, changesAt, previous: unseal(keys, row.sealedSecret, sealingContext(row.id)) };
}

/**
 * Shows the new secret at once. A rotation during another one replaces the secret that had not taken over yet;
 * the one in use stays in use. `overlapSeconds: 0` is for a secret that leaked: the old one ends now.
 */
export async function rotateSecret(
  tx: Database,
  options: {
    keys: SealingKeys;
    workspaceId: string;
    subscriptionId: string;
    overlapSeconds?: number;
    now: Date;
  },
): Promise<{ secret: string; takesOverAt: Date }> {
  const { keys, workspaceId, subscriptionId, now } = options;
  const isThisOne = and(
    eq(webhookSubscriptions.id, subscriptionId),
    eq(webhookSubscriptions.workspaceId, workspaceId),
  );
  const [row] = await tx.select().from(webhookSubscriptions).where(isThisOne).for('no key update');
  if (!row) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  const overlapSeconds = options.overlapSeconds ?? webhookSecretOverlapSeconds;
  if (overlapSeconds < 0 || overlapSeconds > webhookSecretOverlapSeconds) {
    throw new TollgateError(
      'invalid_request',
      `The overlap must be between 0 and ${webhookSecretOverlapSeconds} seconds.`,
    );
  }
  const takesOverAt = secondsAfter(now, overlapSeconds);
  const { secret, sealed } = newSigningSecret(keys, subscriptionId);
  await tx
    .update(webhookSubscriptions)
    .set({
      sealedSecret: currentAndNext(row, now).sealed,
      sealedNextSecret: sealed,
      nextSecretAt: takesOverAt,
    })
    .where(isThisOne);
  return { secret, takesOverAt };
}

function currentAndNext(row: SealedSecrets, now: Date): { sealed: string; sealedNext?: string } {
  if (!row.sealedNextSecret || !row.nextSecretAt) return { sealed: row.sealedSecret };
  if (row.nextSecretAt <= now) return { sealed: row.sealedNextSecret };
  return { sealed: row.sealedSecret, sealedNext: row.sealedNextSecret };
}

/**
 * For `tollgate keys reseal`: some at a time, each held only for its bite, since every charge reads them.
 * @returns how many of them were sealed with an older secret.
 */
export async function resealSigningSecrets(db: Database, keys: SealingKeys): Promise<number> {
  let resealedOnes = 0;
  let after = '';
  let bitten = { count: 0, last: after };
  await inBites(db, {
    // Only what has committed counts: a bite may be repeated.
    onBite: () => {
      resealedOnes += bitten.count;
      after = bitten.last;
    },
    bite: async (tx, rows) => {
      const some = await tx
        .select()
        .from(webhookSubscriptions)
        .where(gt(webhookSubscriptions.id, after))
        .orderBy(asc(webhookSubscriptions.id))
        .limit(rows)
        .for('no key update');
      let count = 0;
      for (const row of some) if (await resealSecretsOf(tx, keys, row)) count += 1;
      bitten = { count, last: some.at(-1)?.id ?? after };
      return some.length;
    },
  });
  return resealedOnes;
}

/** With what each is sealed for: whoever has the keys can tell whether they open it. */
export async function listSealedSecrets(db: Database): Promise<Sealed[]> {
  const rows = await db.select().from(webhookSubscriptions);
  return rows.map(({ id, sealedSecret }) => ({ value: sealedSecret, context: sealingContext(id) }));
}

async function resealSecretsOf(
  tx: Database,
  keys: SealingKeys,
  row: typeof webhookSubscriptions.$inferSelect,
): Promise<boolean> {
  const again = (sealed: string) => resealed(keys, sealed, sealingContext(row.id));
  const sealedSecret = again(row.sealedSecret);
  const sealedNextSecret = row.sealedNextSecret ? again(row.sealedNextSecret) : undefined;
  if (sealedSecret === undefined && sealedNextSecret === undefined) return false;
  await tx
    .update(webhookSubscriptions)
    .set({ ...(sealedSecret && { sealedSecret }), ...(sealedNextSecret && { sealedNextSecret }) })
    .where(eq(webhookSubscriptions.id, row.id));
  return true;
}

function sealingContext(subscriptionId: string): string {
  return `webhook secret of ${subscriptionId}`;
}
