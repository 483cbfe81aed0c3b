// Identifiers of our own records: a prefix that says the kind, then a UUID version 7. Ids made later sort
// later, which keeps indexes dense; nothing secret is ever identified by one of these.
import { randomUUID } from 'node:crypto';
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
  | 'res' // API of a company, which access tokens are for
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

/** uuid counts on within a millisecond (RFC 9562, 6.2), also when the clock goes back. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}
