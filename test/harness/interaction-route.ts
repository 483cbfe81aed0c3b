// Stands in for the hosted pages in the protocol tests: signs in whoever the test names, in the browser that asks, and
// agrees to everything.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { type Account, findAccount } from '../../src/accounts/account.ts';
import { readProofTime } from '../../src/accounts/proof.ts';
import { authTimeOf, strengthOf } from '../../src/accounts/session.ts';
import { findApplicationByClientId } from '../../src/applications/application.ts';
import { recordConsent } from '../../src/applications/consent.ts';
import { agreedScope } from '../../src/applications/resource.ts';
import { scopesAsked, supportedScopes } from '../../src/applications/scopes.ts';
import type { Clock } from '../../src/clock.ts';
import type { Database } from '../../src/database/connection.ts';
import { browserCookie } from '../../src/http/form.ts';
import { randomSecret } from '../../src/secrets.ts';
import { proveMailbox } from './identity.ts';

type Dependencies = {
  provider: Provider;
  db: Database;
  clock: Clock;
  secure: boolean;
  /** Who is signed in, and what is answered instead when `refuse` is set. */
  person: { account: Account; refuse: string | undefined };
  /** Gets the prompts, oldest first. */
  prompts: string[];
};

export function signInTestPerson(dependencies: Dependencies): Middleware {
  const { provider, db, clock, person, prompts } = dependencies;
  const browserOf = knownBrowser(dependencies);
  return async (ctx: Context, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const { uid, prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
    prompts.push(prompt.name);
    const { account } = person;
    const answer = async () => {
      if (person.refuse) return { error: person.refuse };
      if (prompt.name === 'select_account') return { select_account: {} };
      if (prompt.name !== 'consent') return prove(db, clock, account, { uid, browser: browserOf(ctx) });
      return agree(db, String(params.client_id), agreedTo(params), account);
    };
    const merge = { mergeWithLastSubmission: ['consent', 'select_account'].includes(prompt.name) };
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, await answer(), merge));
    ctx.status = 303;
  };
}

function agreedTo({ scope, claims, resource }: Record<string, unknown>): string[] {
  const asked = scopesAsked({ scope, claims });
  const named = [resource].flat().filter((identifier) => typeof identifier === 'string');
  return [
    ...asked.filter((name) => supportedScopes.includes(name)),
    ...named.flatMap((identifier) => asked.map((name) => agreedScope(identifier, name))),
  ];
}

/** As the form guard does it: the cookie that a browser keeps whoever signs in. */
function knownBrowser({ secure }: Pick<Dependencies, 'secure'>) {
  const readCookie = browserCookie({ secure });
  return (ctx: Context): string => {
    const known = readCookie(ctx);
    if (known) return known;
    const browser = randomSecret();
    const name = secure ? '__Host-tollgate_browser' : 'tollgate_browser';
    const attributes = { httpOnly: true, sameSite: 'lax', path: '/', signed: false, secure } as const;
    ctx.cookies.set(name, browser, attributes);
    return browser;
  };
}

type Place = { uid: string; browser: string };

async function prove(db: Database, clock: Clock, { id }: Account, place: Place) {
  const account = await findAccount(db, id);
  if (!account) throw new Error('the account is gone');
  const proof = await proveMailbox(db, { account, place, provenAt: await readProofTime(db, clock) });
  const login = { accountId: id, ts: authTimeOf(proof), proof: proof.id };
  const { amr, acr } = strengthOf(proof.method);
  return { login: { ...login, ...(amr && { amr }), ...(acr && { acr }) } };
}

async function agree(db: Database, clientId: string, scopes: string[], { id: accountId }: Account) {
  const application = await findApplicationByClientId(db, clientId);
  if (!application) throw new Error('the application is gone');
  const { id: applicationId } = application;
  await recordConsent(db, { applicationId, accountId, scopes, now: new Date() });
  return { consent: {} };
}
