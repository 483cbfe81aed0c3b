// Identifiers of our own records: a prefix that says the kind, then a UUID version 7. Ids made later sort
// later, which keeps indexes dense; nothing secret is ever identified by one of these.
import { v7 } from 'uuid';

export type IdPrefix =
  | 'acc' // account (a person)
  | 'app' // application
  | 'att' // webhook attempt
  | 'dlv' // webhook delivery
  | 'evt' // usage event, and its webhook
  | 'key' // API key
  | 'mail' // mail in the development inbox
  | 'prf' // proof of the ledger
  | 'req' // request, shown to people as a reference
  | 'sec' // client secret
  | 'trf' // ledger transfer
  | 'whs' // webhook subscription
  | 'ws'; // workspace

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}
