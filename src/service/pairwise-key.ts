// The key behind every `sub` (promise 11). It may never change, so it is kept, sealed, instead of being derived anew
// from a TOLLGATE_SECRET that an operator may replace (docs/decisions/0401).
import { eq } from 'drizzle-orm';
import { keptKeys } from '../../drizzle/schema/engine.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { createKeys, type Keys, resealed, type Sealed, seal, unseal } from '../secrets.ts';

const PAIRWISE = 'pairwise sub';

/**
 * Every key of the service. The first start keeps the key that its secret leads to; any later secret only opens it.
 * @throws TollgateError server_error when no secret given is the one that this database was written with.
 */
export async function loadKeys(db: Database, secret: string, now: Date): Promise<Keys> {
  const keys = createKeys(secret);
  const fresh = seal(keys, keys.pairwise.toString('base64url'), PAIRWISE);
  await db
    .insert(keptKeys)
    .values({ name: PAIRWISE, sealedKey: fresh, createdAt: now })
    .onConflictDoNothing();
  const [kept] = await db.select().from(keptKeys).where(eq(keptKeys.name, PAIRWISE));
  return { ...keys, pairwise: open(keys, kept?.sealedKey ?? fresh) };
}

function open(keys: Keys, sealedKey: string): Buffer {
  try {
    return Buffer.from(unseal(keys, sealedKey, PAIRWISE), 'base64url');
  } catch (cause) {
    throw new TollgateError(
      'server_error',
      'TOLLGATE_SECRET is not the one that this database was written with. Set that one again; to replace it, put the new one in front of it, separated by a comma.',
      { cause },
    );
  }
}

/** With what each is sealed for. */
export async function listSealedKeys(db: Database): Promise<Sealed[]> {
  const rows = await db.select().from(keptKeys);
  return rows.map(({ name, sealedKey }) => ({ value: sealedKey, context: name }));
}

/** For `tollgate keys reseal`. @returns how many of them were sealed with an older secret. */
export async function resealPairwiseKeys(tx: Database, keys: Pick<Keys, 'sealing'>): Promise<number> {
  let count = 0;
  for (const { name, sealedKey } of await tx.select().from(keptKeys).for('update')) {
    const again = resealed(keys, sealedKey, name);
    if (again === undefined) continue;
    await tx.update(keptKeys).set({ sealedKey: again }).where(eq(keptKeys.name, name));
    count += 1;
  }
  return count;
}
