// First-party clients: pages of our own that people sign in to through the service itself, company settings and a person's
// account page. To the engine each is a client like any other, with one difference: nobody is ever charged for it.
import type { PageCookie } from '../http/cookies.ts';
import type { SealedCookie } from '../http/sealed-cookie.ts';

export type Area = 'settings' | 'account';

export type FirstPartyClient = {
  area: Area;
  clientId: string;
  /** Every page of the area is this path or below it. */
  path: string;
  callbackPath: string;
  sessionCookie: PageCookie;
  /** Holds the secrets of the sign-ins under way. */
  signInsCookie: SealedCookie;
};

/** What the hosted pages call them, and whose name is in the mails. */
export const FIRST_PARTY_NAME = 'Tollgate';

export const firstPartyClients: Record<Area, FirstPartyClient> = {
  settings: describe('settings', 'tollgate_settings'),
  account: describe('account', 'tollgate_account'),
};

export function findFirstPartyClient(clientId: string): FirstPartyClient | undefined {
  return Object.values(firstPartyClients).find((client) => client.clientId === clientId);
}

function describe(area: Area, cookieName: PageCookie['name']): FirstPartyClient {
  const path = `/${area}`;
  return {
    area,
    clientId: `tollgate-${area}`,
    path,
    callbackPath: `${path}/callback`,
    // For the whole host, because only then can the browser keep other hosts of the domain from setting it (`__Host-`).
    sessionCookie: { name: cookieName, path: '/', sameSite: 'strict' },
    // Lax: a link in a mail may be where the sign-in began, and then the way back counts as another site's.
    signInsCookie: { name: 'tollgate_sign_ins', path, context: `sign-ins to ${area}` },
  };
}
