// Making, naming and removing the passkeys of an account. The authenticator is asked for no attestation: which
// make it is does not matter to us, and asking would tell it about the person.
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { passkeys } from '../../drizzle/schema/accounts.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { passkeyMilliseconds, passkeyNameCharacters, passkeysPerAccount } from '../limits/credentials.ts';
import type { Account } from './account.ts';
import {
  type Ceremony,
  listPasskeys,
  newChallenge,
  type Presented,
  parseJson,
  spendChallenge,
} from './passkey.ts';

export type CreationCeremony = { options: PublicKeyCredentialCreationOptionsJSON; ticket: string };

export async function startPasskeyCreation(
  db: Database,
  { account, ...ceremony }: Ceremony & { account: Account },
): Promise<CreationCeremony> {
  const existing = await listPasskeys(db, account.id);
  const { challenge, ticket } = newChallenge('create', ceremony);
  const options = await generateRegistrationOptions({
    rpID: ceremony.rp.id,
    rpName: ceremony.rp.name,
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name ?? account.email,
    challenge,
    timeout: passkeyMilliseconds,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options, ticket };
}

const creationAnswer = z.looseObject({
  id: z.string().max(1_400),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  response: z.looseObject({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(30)).max(10).exactOptional(),
  }),
});

export type NewPasskey = Ceremony &
  Presented & {
    account: Pick<Account, 'id'>;
    name: string;
    /** The fresh sign-in that allows it. */
    ownerProofId: string;
  };

/** @returns whether there is a new passkey now. */
export async function createPasskey(
  db: Database,
  { account, name, ownerProofId, ticket, response, ...ceremony }: NewPasskey,
): Promise<boolean> {
  const answer = creationAnswer.safeParse(parseJson(response));
  const challenge = await spendChallenge(db, 'create', ticket, ceremony);
  if (!answer.success || !challenge) return false;
  if ((await listPasskeys(db, account.id)).length >= passkeysPerAccount)
    throw new TollgateError('conflict', `An account has at most ${passkeysPerAccount} passkeys.`);
  const verified = await verifyRegistrationResponse({
    response: answer.data,
    expectedChallenge: challenge,
    expectedOrigin: ceremony.rp.origin,
    expectedRPID: ceremony.rp.id,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) return false;
  const { credential, credentialBackedUp: backedUp } = verified.registrationInfo;
  const created = await db
    .insert(passkeys)
    .values({
      id: newId('pky'),
      accountId: account.id,
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: answer.data.response.transports ?? [],
      name: requirePasskeyName(name),
      backedUp,
      ownerProofId,
      createdAt: ceremony.now,
    })
    // Somebody else's credential id is not taken over.
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return created.length === 1;
}

type OnePasskey = { accountId: string; id: string };

/** @throws TollgateError invalid_request; not_found for another account's passkey, as for an unknown one. */
export async function renamePasskey(
  tx: Database,
  { name, ...which }: OnePasskey & { name: string },
): Promise<void> {
  const renamed = await tx
    .update(passkeys)
    .set({ name: requirePasskeyName(name) })
    .where(isThisOne(which))
    .returning({ id: passkeys.id });
  if (renamed.length === 0) throw new TollgateError('not_found', 'There is no such passkey.');
}

/** @returns the name that it had. @throws TollgateError not_found */
export async function removePasskey(tx: Database, which: OnePasskey): Promise<string> {
  const [removed] = await tx.delete(passkeys).where(isThisOne(which)).returning({ name: passkeys.name });
  if (!removed) throw new TollgateError('not_found', 'There is no such passkey.');
  return removed.name;
}

function requirePasskeyName(typed: string): string {
  const name = typed.trim();
  if (name === '' || [...name].length > passkeyNameCharacters || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new TollgateError(
      'invalid_request',
      `A passkey needs a name of 1 to ${passkeyNameCharacters} characters.`,
    );
  }
  return name;
}

function isThisOne({ accountId, id }: OnePasskey) {
  return and(eq(passkeys.id, id), eq(passkeys.accountId, accountId));
}
