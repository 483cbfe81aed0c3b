// Which of the usual mistakes explains a signature. All of them are tried for every question, found early
// or late, so that the time says nothing; what is compared is 32 bytes, in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BodyVariant } from './body-mistakes.ts';

/** A secret that may have signed, and what it would mean if it did; no mistake for the one that should have. */
export type CandidateSecret = {
  secret: string;
  mistake?: string;
  /** Tried with the right key, over the right parts: twenty subscriptions must not cost twenty times the work. */
  isPlain?: true;
};

export type Explanation = {
  /** About the body that was signed. */
  body?: string | undefined;
  /** About the secret, the key made of it, and what else was signed. */
  signing: string[];
};

export type SignedParts = { eventId: string; timestamp: string; bodies: BodyVariant[] };

/** The explanation with the fewest mistakes; undefined when none fits. */
export function explainSignature(
  digest: Buffer,
  { secrets, parts }: { secrets: CandidateSecret[]; parts: SignedParts },
): Explanation | undefined {
  const found: Explanation[] = [];
  for (const { secret, mistake, isPlain } of secrets) {
    const tried = isPlain ? 1 : undefined;
    for (const key of keysOf(secret).slice(0, tried)) {
      for (const body of parts.bodies) {
        for (const message of messagesOf(parts, body.body).slice(0, tried)) {
          const made = createHmac('sha256', key.key).update(message.text, 'utf8').digest();
          const isSame = timingSafeEqual(made, digest);
          const signing = [mistake, key.mistake, message.mistake].filter((each) => each !== undefined);
          if (isSame) found.push({ body: body.mistake, signing });
        }
      }
    }
  }
  return found.toSorted((a, b) => weight(a) - weight(b))[0];
}

function weight({ body, signing }: Explanation): number {
  return signing.length + (body === undefined ? 0 : 1);
}

const PREFIX = 'whsec_';

function keysOf(secret: string): { key: string | Buffer; mistake?: string }[] {
  const withoutPrefix = secret.slice(PREFIX.length);
  return [
    { key: secret },
    {
      key: withoutPrefix,
      mistake: 'The key was the secret without “whsec_”. The key is the whole secret, as it was shown.',
    },
    {
      key: Buffer.from(withoutPrefix, 'base64url'),
      mistake:
        'The key was the secret decoded from base64. The key is the text of the secret, as it was shown.',
    },
    {
      key: `${secret}\n`,
      mistake: 'The key was the secret followed by a line break, as it is in a file. Remove the line break.',
    },
  ];
}

function messagesOf({ eventId, timestamp }: SignedParts, body: string): { text: string; mistake?: string }[] {
  return [
    { text: `${timestamp}.${body}` },
    { text: body, mistake: 'The signature covers only the body. It must cover <timestamp>.<body>.' },
    {
      text: `${timestamp}${body}`,
      mistake: 'The dot between timestamp and body is missing from what was signed.',
    },
    {
      text: `${eventId}.${timestamp}.${body}`,
      mistake: 'The signature covers <id>.<timestamp>.<body>. Leave out the id.',
    },
  ];
}

const DIGEST_BYTES = 32;

export type Written = {
  digest: Buffer | undefined;
  /** Of the value before the digest: `v1=` or what stands there instead. */
  label: string;
  encoding: 'hex' | 'upper-case hex' | 'base64' | undefined;
};

/** The digest in a signature, however it is written. */
export function readSignature(value: string): Written {
  const text = value.trim();
  const [, label = '', rest = text] = /^([A-Za-z][A-Za-z0-9]{0,8}[=,:])(.+)$/s.exec(text) ?? [];
  if (/^[0-9a-f]{64}$/i.test(rest)) {
    const encoding = rest === rest.toLowerCase() ? 'hex' : 'upper-case hex';
    return { digest: Buffer.from(rest, 'hex'), label, encoding };
  }
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(rest) ? Buffer.from(rest, 'base64') : undefined;
  if (bytes?.length !== DIGEST_BYTES) return { digest: undefined, label, encoding: undefined };
  return { digest: bytes, label, encoding: 'base64' };
}
