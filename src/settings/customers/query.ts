// What the customers page is asked for: an address or a sub to look for, and a place in the list.
import { parseEmailAddress } from '../../accounts/email-address.ts';
import type { CustomerFilters } from '../../applications/customer-list.ts';
import type { Place } from '../../database/pagination.ts';
import type { FormFields } from '../../http/form.ts';
import { readPlace } from '../shell/list-place.ts';

export type CustomerQuery = {
  /** As typed. */
  search: string;
  filters: CustomerFilters;
  /** Why nothing can be found. */
  problem: string | undefined;
  after: Place | undefined;
  before: Place | undefined;
};

const SUB = /^[\w-]{1,255}$/;

export function readCustomerQuery(query: FormFields): CustomerQuery {
  const search = (query.search ?? '').trim();
  const found = filtersOf(search);
  return {
    search,
    filters: found ?? {},
    problem: found ? undefined : 'Enter a complete email address, or a sub from your application.',
    after: readPlace(query.after),
    before: readPlace(query.before),
  };
}

function filtersOf(search: string): CustomerFilters | undefined {
  if (search === '') return {};
  const email = parseEmailAddress(search);
  if (email !== undefined) return { email };
  return SUB.test(search) ? { sub: search } : undefined;
}
