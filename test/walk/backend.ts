// What a backend of an application sends by itself: its requests to authorize, and its questions to the service.
import { createHash, randomBytes } from 'node:crypto';
import type { ProofKey } from '../crash-harness/proof-key.ts';
import { CALLBACK } from '../harness/tollgate.ts';
import { violate } from './model.ts';
import type { Story } from './story.ts';
import type { AppName } from './world.ts';

export type Told = { status: number; headers: Headers; body: Record<string, unknown> };

/** What a browser would carry; the application keeps what it needs to go on. `wish`: more parameters, as a query. */
export function newRequest(story: Story, app: AppName, wish = ''): URLSearchParams {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  story.attempts.set(state, { app, verifier });
  const request = new URLSearchParams({
    client_id: story.world.applications[app].clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile offline_access',
    state,
    nonce: randomBytes(24).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  for (const [name, value] of new URLSearchParams(wish)) request.set(name, value);
  return request;
}

/** With a form it posts. */
export async function ask(
  story: Story,
  path: string,
  form?: Record<string, string>,
  more: Record<string, string> = {},
): Promise<Told> {
  const answer = await story.world.wire.send({
    method: form ? 'POST' : 'GET',
    url: story.world.url + path,
    headers: { ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...more },
    body: form && new URLSearchParams(form).toString(),
  });
  if (answer.status >= 500) violate(story.model, `status ${answer.status}`, `${path}: ${answer.html}`);
  const body = answer.headers['content-type']?.includes('json') ? JSON.parse(answer.html) : {};
  const nonce = answer.headers['dpop-nonce'];
  const headers = new Headers(typeof nonce === 'string' ? { 'dpop-nonce': nonce } : {});
  return { status: answer.status, headers, body };
}

type WithKey = { key: ProofKey | undefined; form?: Record<string, string>; token?: string };

/** With a proof of the key, if there is one; once more where the service names its nonce. */
export async function askWithKey(story: Story, path: string, { key, form, token }: WithKey): Promise<Told> {
  const authorization = token && { authorization: `${key ? 'DPoP' : 'Bearer'} ${token}` };
  const once = async () => {
    const dpop = key && { dpop: await key.prove(form ? 'POST' : 'GET', path, token) };
    const told = await ask(story, path, form, { ...authorization, ...dpop });
    key?.hear(told);
    return told;
  };
  const told = await once();
  return key && told.body.error === 'use_dpop_nonce' ? once() : told;
}

/** Asked as this application, with its secret. */
export function askAs(story: Story, app: AppName, path: string, form: Record<string, string>): Promise<Told> {
  const { clientId, clientSecret = '' } = story.world.applications[app];
  return ask(story, path, { ...form, client_id: clientId, client_secret: clientSecret });
}
