// What a backend of an application sends by itself: its requests to authorize, and its questions to the service.
import { createHash, randomBytes } from 'node:crypto';
import { CALLBACK } from '../harness/tollgate.ts';
import { violate } from './model.ts';
import type { Story } from './story.ts';
import type { AppName } from './world.ts';

export type Told = { status: number; body: Record<string, unknown> };

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

/** With a form it posts, otherwise it shows its token. */
export async function ask(
  story: Story,
  path: string,
  form?: Record<string, string>,
  bearer?: string,
): Promise<Told> {
  const answer = await story.world.wire.send({
    method: form ? 'POST' : 'GET',
    url: story.world.url + path,
    headers: form
      ? { 'content-type': 'application/x-www-form-urlencoded' }
      : { authorization: `Bearer ${bearer}` },
    body: form && new URLSearchParams(form).toString(),
  });
  if (answer.status >= 500) violate(story.model, `status ${answer.status}`, `${path}: ${answer.html}`);
  const body = answer.headers['content-type']?.includes('json') ? JSON.parse(answer.html) : {};
  return { status: answer.status, body };
}

/** Asked as this application, with its secret. */
export function askAs(story: Story, app: AppName, path: string, form: Record<string, string>): Promise<Told> {
  const { clientId, clientSecret = '' } = story.world.applications[app];
  return ask(story, path, { ...form, client_id: clientId, client_secret: clientSecret });
}
