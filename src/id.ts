// Identifiers of our own records: a prefix that says the kind, then a UUID version 7. Ids made later sort
// later, which keeps indexes dense; nothing secret is ever identified by one of these.
import { randomFillSync, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

export type IdPrefix =
  | 'acc' // account (a person)
  | 'app' // application
  | 'att' // webhook attempt
  | 'aud' // entry of a workspace's audit log
  | 'dlv' // webhook delivery
  | 'emc' // change of a person's address
  | 'evt' // usage event, and its webhook
  | 'inv' // invitation into a workspace
  | 'key' // API key
  | 'lgt' // word to an application that somebody's session has ended
  | 'mail' // mail in the development inbox
  | 'pay' // payment that a company began
  | 'pky' // passkey
  | 'prf' // proof of the ledger
  | 'pgs' // session on pages of our own
  | 'pro' // what somebody has proven
  | 'sec' // client secret
  | 'stp' // step of a sign-in
  | 'trf' // ledger transfer
  | 'whs' // webhook subscription
  | 'wrk' // process that delivers webhooks
  | 'ws'; // workspace

/** Of a request, shown to people as a reference. No index holds it, so it need not sort, and each request pays for it. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7(nextMoment()).replaceAll('-', '')}`;
}

const RANDOM_BYTES = 16;
/** Drawn for so many ids at once: a draw of 16 bytes takes as long as one of four thousand. */
const supply = { bytes: new Uint8Array(256 * RANDOM_BYTES), used: Number.POSITIVE_INFINITY };
const latest = { msecs: 0, seq: 0 };

/** The random part of the next id, and its place after the one before, also within a millisecond (RFC 9562, 6.2). */
function nextMoment(): { random: Uint8Array; msecs: number; seq: number } {
  if (supply.used >= supply.bytes.length) {
    randomFillSync(supply.bytes);
    supply.used = 0;
  }
  const random = supply.bytes.subarray(supply.used, supply.used + RANDOM_BYTES);
  supply.used += RANDOM_BYTES;
  const now = Date.now();
  if (now > latest.msecs) {
    latest.msecs = now;
    // Half of the range, so that no number of ids in one millisecond reaches its end.
    latest.seq = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
  } else {
    latest.seq += 1;
  }
  return { random, ...latest };
}
