// Passwords whose check takes seconds: a stored hash carries its own cost, so a test decides how long one is looked at.
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import type { Database } from '../../src/database/connection.ts';
import { passwordMemoryKibibytes } from '../../src/limits/credentials.ts';

/** Fifty times the usual: about a second on a core of its own. */
const PASSES = 100;

/** From now on each check of this account's password takes that long, also of a wrong one. */
export async function makePasswordSlow(db: Database, email: string, password: string): Promise<void> {
  const cost = { memory: passwordMemoryKibibytes, passes: PASSES };
  const nonce = randomBytes(16);
  const options = { message: password, nonce, ...cost, parallelism: 1, tagLength: 32 };
  const tag = await promisify(argon2)('argon2id', options);
  const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const passwordHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${encode(nonce)}$${encode(tag)}`;
  await db.update(accounts).set({ passwordHash }).where(eq(accounts.email, email));
}
