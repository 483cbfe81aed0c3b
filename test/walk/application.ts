// The application's side: requests to authorize, and what its backend does with codes and tokens. What the tokens say is
// compared with what happened in the browser that they came from.
import { decodeJwt } from 'jose';
import { createProofKey } from '../crash-harness/proof-key.ts';
import { DEVICE_GRANT } from '../harness/device.ts';
import { CALLBACK } from '../harness/tollgate.ts';
import { ask, askWithKey, newRequest } from './backend.ts';
import type { Browser, Landed, Proof, Tab } from './cast.ts';
import { type Model, showsAuthority, violate } from './model.ts';
import type { Story } from './story.ts';
import { filled, findForm, open, post } from './surf.ts';
import type { AppName } from './world.ts';

export async function begin(
  story: Story,
  browser: Browser,
  tab: Tab,
  app: AppName,
  wish = '',
): Promise<Landed> {
  const request = newRequest(story, app, wish);
  if (!request.has('by')) return open(story, browser, tab, `/oauth/authorize?${request}`);
  request.delete('by');
  return open(story, browser, tab, await posted(story, request));
}

/** By a form of another site, which brings no cookies; what it asks for waits at the service. */
async function posted(story: Story, request: URLSearchParams): Promise<string> {
  request.set('claims', '{"userinfo":{"name":null}}');
  const { headers } = await story.world.wire.send({
    method: 'POST',
    url: `${story.world.url}/oauth/authorize`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    body: request.toString(),
  });
  return String(headers.location);
}

/** The browser came back to the application. @returns false when it did not. */
export async function exchange(story: Story, browser: Browser, tab: Tab, isBound = false): Promise<boolean> {
  const { callback } = tab;
  if (!callback) return false;
  tab.callback = undefined;
  const query = new URL(callback).searchParams;
  const attempt = story.attempts.get(query.get('state') ?? '');
  if (!attempt) return false;
  const { clientId, clientSecret = '' } = story.world.applications[attempt.app];
  const key = isBound ? await createProofKey(story.world) : undefined;
  const { status, body } = await askWithKey(story, '/oauth/token', {
    key,
    form: {
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      code: query.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: attempt.verifier,
    },
  });
  if (status !== 200) return true;
  judgeTokens(story, browser, attempt.app, body);
  const tokens = story.tokens.at(-1);
  if (!key || !tokens) return true;
  tokens.key = key;
  if (body.token_type !== 'DPoP')
    violate(story.model, 'tokens were not bound to the key', String(body.token_type));
  return true;
}

/** A device asks for its code; the person types it in this tab. */
export async function typeDeviceCode(story: Story, browser: Browser, tab: Tab): Promise<boolean> {
  const { clientId, clientSecret = '' } = story.world.applications.shop;
  const client = { client_id: clientId, client_secret: clientSecret };
  const scope = 'openid email profile offline_access';
  const { body } = await ask(story, '/oauth/device_authorization', { ...client, scope });
  const form = await findForm(story, browser, tab, { page: '/device', like: { reload: true } });
  if (!form || typeof body.device_code !== 'string') return false;
  tab.deviceCode = body.device_code;
  const sent = filled(form, { user_code: String(body.user_code) });
  await post(story, browser, { what: 'types a code', sent, tab, park: false, after: () => undefined });
  return true;
}

/** The device asks once more whether it was let in. */
export async function pollDevice(story: Story, browser: Browser, tab: Tab): Promise<boolean> {
  if (!tab.deviceCode) return false;
  const { clientId, clientSecret = '' } = story.world.applications.shop;
  const { status, body } = await ask(story, '/oauth/token', {
    grant_type: DEVICE_GRANT,
    client_id: clientId,
    client_secret: clientSecret,
    device_code: tab.deviceCode,
  });
  if (body.error !== 'authorization_pending') tab.deviceCode = undefined;
  if (status === 200) judgeTokens(story, browser, 'shop', body);
  return true;
}

function judgeTokens(story: Story, browser: Browser, app: AppName, body: Record<string, unknown>): void {
  const claims = decodeJwt(String(body.id_token));
  const email = String(claims.email);
  const proof = showsAuthority(story.model, browser, email, 'tokens were given out');
  if (claims.email_verified === true && !story.model.confirmed.has(email))
    violate(story.model, 'a token calls an address verified that nobody proved', email);
  compare(story, browser, email, claims);
  story.tokens.push({
    browser: browser.name,
    app,
    email,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    at: proof?.at ?? -1,
    sub: String(claims.sub),
    accessAt: story.world.clock.now(),
    ended: new Set(),
  });
}

const strength = {
  otp: [['otp'], 'urn:tollgate:acr:1fa'],
  pwd: [['pwd'], 'urn:tollgate:acr:1fa'],
  fed: [['fed'], 'urn:tollgate:acr:1fa'],
  pop: [['pop', 'mfa'], 'phr'],
};

/** Some proof of this browser must be what the token tells, and none later than it. */
function compare(story: Story, browser: Browser, email: string, claims: Record<string, unknown>): void {
  const proofs = browser.proofs.filter((proof) => proof.email === email);
  if (proofs.length === 0) return;
  const amr = Array.isArray(claims.amr) ? claims.amr.map(String) : [];
  const told = proofs.filter(
    (proof) =>
      JSON.stringify(strength[proof.amr][0]) === JSON.stringify(amr) ||
      (amr.length === 0 && isCredentialGone(story.model, proof)),
  );
  const acrOf = (proof: Proof) => (amr.length === 0 ? undefined : strength[proof.amr][1]);
  if (told.length === 0 || told.every((proof) => acrOf(proof) !== claims.acr))
    violate(story.model, 'amr or acr say what did not happen', `${amr} ${String(claims.acr)} for ${email}`);
  const latest = Math.max(...(told.length > 0 ? told : proofs).map(({ milliseconds }) => milliseconds));
  const late = Number(claims.auth_time) - Math.ceil(latest / 1000);
  if (late > 1) violate(story.model, 'auth_time is later than the proof', `by ${late} seconds, for ${email}`);
}

/** Of a method whose credential the account has given up nothing is said any more. */
function isCredentialGone(model: Model, { email, amr, at }: Proof): boolean {
  if (amr === 'pwd')
    return model.revocations.some(
      (each) => each.email === email && each.kind === 'password change' && each.at > at,
    );
  if (amr === 'pop') return model.keys.some((key) => key.email === email && key.dead);
  return amr === 'fed' && ![...model.links.values()].includes(email);
}
