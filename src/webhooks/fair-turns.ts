// Who is served next: places are given one at a time, always to the company that holds the fewest, so that a slow
// endpoint, a dead one or a long backlog costs nobody but its owner (docs/decisions/0801). Plain code; who has work and
// who holds places is looked up by delivery-look.ts.
import {
  webhookPlacesOfBacklogUnderPressure,
  webhookPlacesOfFailing,
  webhookPlacesPerCompany,
  webhookPlacesPerCompanyWhileFailing,
  webhookPlacesPerEndpoint,
  webhookPlacesWhileFailing,
  webhookShareOfFreePlaces,
} from '../limits/webhooks.ts';

export type Endpoint = { subscriptionId: string; workspaceId: string; isFailing: boolean };
/**
 * With this many deliveries that are due; more than it may have at once need not be counted. `isBacklog`: the oldest of
 * them should have been sent long ago.
 */
export type EndpointWithWork = Endpoint & { due: number; isBacklog?: boolean };
/** With this many attempts under way, in whichever process. */
export type BusyEndpoint = Endpoint & { underWay: number };

export type Turn = { subscriptionId: string; places: number };

type Place = EndpointWithWork & { held: number; taken: number };
type Company = { endpoints: Place[]; held: number; heldByFailing: number };

/** @param free places of this process */
export function planTurn(options: {
  waiting: EndpointWithWork[];
  busy: BusyEndpoint[];
  free: number;
  /** This process has no time to spare. */
  isUnderPressure?: boolean;
  /** 0 ≤ x < 1: whoever holds equally many is drawn. */
  random: () => number;
}): Turn[] {
  const { waiting, busy, random, isUnderPressure = false } = options;
  const companies = companiesOf(shuffled(waiting, random), busy);
  let free = options.free;
  let failing = busy.reduce((total, each) => total + (each.isFailing ? each.underWay : 0), 0);
  for (let level = 0; level < webhookPlacesPerCompany; level += 1) {
    for (const company of companies) {
      if (free === 0) break;
      if (company.held !== level || !mayTake(company, free)) continue;
      const place = nextPlace(company, { leftForFailing: webhookPlacesOfFailing - failing, isUnderPressure });
      if (!place) continue;
      take(company, place);
      free -= 1;
      if (place.isFailing) failing += 1;
    }
  }
  return companies
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ taken }) => taken > 0)
    .map(({ subscriptionId, taken }) => ({ subscriptionId, places: taken }));
}

/** The first place is nobody's to refuse. */
function mayTake({ held }: Company, free: number): boolean {
  return held === 0 || held < free * webhookShareOfFreePlaces;
}

/** Of a company's endpoints the one that has the fewest. */
function nextPlace(
  company: Company,
  { leftForFailing, isUnderPressure }: { leftForFailing: number; isUnderPressure: boolean },
): Place | undefined {
  const mayFail = leftForFailing > 0 && company.heldByFailing < webhookPlacesPerCompanyWhileFailing;
  let next: Place | undefined;
  for (const place of company.endpoints) {
    const most = placesOf(place, isUnderPressure);
    if (place.taken >= place.due || place.held >= most || (place.isFailing && !mayFail)) continue;
    if (!next || place.held < next.held) next = place;
  }
  return next;
}

function placesOf({ isFailing, isBacklog }: Place, isUnderPressure: boolean): number {
  if (isFailing) return webhookPlacesWhileFailing;
  return isBacklog && isUnderPressure ? webhookPlacesOfBacklogUnderPressure : webhookPlacesPerEndpoint;
}

function take(company: Company, place: Place): void {
  place.taken += 1;
  place.held += 1;
  company.held += 1;
  if (place.isFailing) company.heldByFailing += 1;
}

function companiesOf(waiting: EndpointWithWork[], busy: BusyEndpoint[]): Company[] {
  const held = new Map(busy.map(({ subscriptionId, underWay }) => [subscriptionId, underWay]));
  const companies = new Map<string, Company>();
  for (const endpoint of waiting) {
    const company = companies.get(endpoint.workspaceId) ?? { endpoints: [], held: 0, heldByFailing: 0 };
    companies.set(endpoint.workspaceId, company);
    company.endpoints.push({ ...endpoint, held: held.get(endpoint.subscriptionId) ?? 0, taken: 0 });
  }
  for (const { workspaceId, isFailing, underWay } of busy) {
    const company = companies.get(workspaceId);
    if (!company) continue;
    company.held += underWay;
    if (isFailing) company.heldByFailing += underWay;
  }
  return [...companies.values()];
}

/** Fisher and Yates. */
function shuffled<T>(items: T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const drawn = Math.floor(random() * (last + 1));
    const [a, b] = [order[last], order[drawn]];
    if (a === undefined || b === undefined) continue;
    order[last] = b;
    order[drawn] = a;
  }
  return order;
}
