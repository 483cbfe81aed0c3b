// Which addresses of company settings and of the account page ask for a fresh sign-in, in one list: whoever adds an
// address has to decide.
import { describe, expect, test } from '@jest/globals';
import { accountRoutes } from '../../interactions/account/routes.ts';
import type { AccountDependencies } from '../../interactions/account/visit.ts';
import { readConfig } from '../../src/config/config.ts';
import { listSettingsRoutes } from '../settings/lab.ts';

/**
 * The rule: a session that was left open, or stolen, may read one page after the other and may stop things. A proof of
 * the last five minutes is needed for whatever
 * - adds or removes a way in (a credential, a key, a secret, a member, an invitation), or shows one,
 * - sends codes, events or mails to another place (a callback, an endpoint, a new address),
 * - takes many people's data, or all of one person's, away in a file,
 * - moves money, or cannot be undone.
 * What stops something asks for nothing, because it is urgent: revoke, end, disable, pause.
 */
const fresh = {
  settings: [
    'GET /api-keys/:key/rotate',
    'GET /api-keys/new',
    'GET /apis/:api/delete',
    'GET /apis/:api/edit',
    'GET /apis/new',
    'GET /applications/:application/addresses/change',
    'GET /applications/:application/assurance',
    'GET /applications/:application/client-rules',
    'GET /applications/:application/customers/export',
    'GET /applications/:application/delete',
    'GET /applications/:application/devices',
    'GET /applications/:application/go-live',
    'GET /applications/:application/logout/change',
    'GET /applications/:application/secrets/:secret/expire',
    'GET /applications/:application/top-up',
    'GET /applications/new',
    'GET /applications/new-service',
    'GET /audit-log.csv',
    'GET /members/:account',
    'GET /members/invitations/:invitation',
    'GET /members/invite',
    'GET /members/leave',
    'GET /webhooks/:subscription/delete',
    'GET /webhooks/:subscription/edit',
    'GET /webhooks/:subscription/secret',
    'GET /webhooks/new',
    'POST /api-keys/:key/rotate',
    'POST /api-keys/new',
    'POST /apis/:api/delete',
    'POST /apis/:api/edit',
    'POST /apis/:api/restore',
    'POST /apis/new',
    'POST /applications/:application/addresses/change',
    'POST /applications/:application/assurance',
    'POST /applications/:application/client-rules',
    'POST /applications/:application/customers/export',
    'POST /applications/:application/delete',
    'POST /applications/:application/devices',
    'POST /applications/:application/go-live',
    'POST /applications/:application/logout/change',
    'POST /applications/:application/secrets',
    'POST /applications/:application/secrets/:secret/expire',
    'POST /applications/:application/top-up',
    'POST /applications/new',
    'POST /applications/new-service',
    'POST /members/:account/remove',
    'POST /members/:account/role',
    'POST /members/invitations/:invitation/resend',
    'POST /members/invitations/:invitation/withdraw',
    'POST /members/invite',
    'POST /members/leave',
    'POST /webhooks/:subscription/delete',
    'POST /webhooks/:subscription/edit',
    'POST /webhooks/:subscription/restore',
    'POST /webhooks/:subscription/secret',
    'POST /webhooks/new',
  ],
  // A link is added by a GET, `/social-return`: it answers a request that only the fresh form can begin.
  account: [
    'GET /address',
    'GET /data',
    'GET /delete',
    'GET /passkeys',
    'GET /passkeys/:passkey',
    'GET /password',
    'GET /social',
    'POST /address',
    'POST /data/download',
    'POST /delete',
    'POST /passkeys',
    'POST /passkeys/:passkey',
    'POST /passkeys/:passkey/remove',
    'POST /password',
    'POST /password/remove',
    'POST /social/link',
    'POST /social/unlink',
  ],
};

/** Forms that ask for none, each with the reason. */
const notFresh: { [area in keyof typeof fresh]: Record<string, string> } = {
  settings: {
    '/api-keys/:key/revoke': 'stops something',
    '/applications/:application/appearance': 'only looks',
    '/applications/:application/balance/warnings': 'only mails to owners, who are there already',
    '/applications/:application/balance/warnings/remove': 'the same',
    '/applications/:application/customers/:sub/end-sessions': 'stops something',
    '/applications/:application/disable': 'stops something',
    '/applications/:application/enable': 'back to what was before',
    '/applications/:application/logo/remove': 'only looks',
    '/applications/:application/test-addresses':
      'who may get a code of theirs while the application is tried out',
    '/applications/:application/payments/:payment/check': 'asks again what became of a payment',
    '/applications/:application/try': "shows the member's own claims",
    '/sessions/:session/end': 'stops something',
    '/sessions/end-others': 'stops something',
    '/webhooks/:subscription/pause': 'stops something',
    '/webhooks/:subscription/replay': 'sends what was sent before, to the same place',
    '/webhooks/:subscription/deliveries/:delivery/replay': 'the same',
    '/webhooks/:subscription/resume': 'back to what was before',
    '/webhooks/:subscription/test': 'sends nothing real, to the same place',
    '/webhooks/check': 'compares what was pasted, and changes nothing',
  },
  account: {
    '/address/code': 'the form before it asked, and the code from the new mailbox is the proof here',
    '/applications/withdraw': 'stops something',
    '/confirm': 'asks for the sign-in itself',
    '/language': 'only looks',
    '/name': 'only looks',
    '/sessions/end': 'stops something',
    '/sessions/end-others': 'stops something',
    '/sessions/end-pages': 'stops something',
  },
};

const lists = {
  settings: listSettingsRoutes(),
  account: accountRoutes({ config: readConfig({}) } as unknown as AccountDependencies),
};

describe.each(['settings', 'account'] as const)('a fresh sign-in in %s', (area) => {
  const routes = lists[area].map(({ method, path, fresh }) => ({
    method,
    path,
    isFresh: Boolean(fresh),
  }));

  test('is asked for by exactly these addresses', () => {
    const asking = routes.filter(({ isFresh }) => isFresh).map(({ method, path }) => `${method} ${path}`);
    expect(asking.sort()).toEqual(fresh[area]);
  });

  test('is not asked for by these forms, for a reason', () => {
    const others = routes.filter(({ method, isFresh }) => method === 'POST' && !isFresh);
    expect(others.map(({ path }) => path).sort()).toEqual(Object.keys(notFresh[area]).sort());
  });

  test('is asked for by the page as well when its form asks, so that nobody fills it in in vain', () => {
    const asks = (method: string) =>
      new Set(routes.filter((route) => route.method === method && route.isFresh).map(({ path }) => path));
    const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const inVain = [...asks('POST')].filter((path) => pages.has(path) && !asks('GET').has(path));
    expect(inVain).toEqual([]);
  });
});
