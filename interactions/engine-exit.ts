// The one file of the hosted pages that knows the engine: what it asks of a person (its interaction), and the
// three answers that it takes back. A page elsewhere sees only the types below.
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { Proof } from '../src/accounts/proof.ts';
import { authTimeOf, strengthOf } from '../src/accounts/session.ts';
import { scopesAsked, supportedScopes } from '../src/applications/scopes.ts';
import { TollgateError } from '../src/errors.ts';
import { seeOther } from '../src/http/redirect.ts';
import { sha256 } from '../src/secrets.ts';
import { traceIdOf } from '../src/traces/trace-id.ts';
import { type Left, recallApplication } from './left-application.ts';

type EngineInteraction = Awaited<ReturnType<Provider['interactionDetails']>>;

export type Interaction = {
  uid: string;
  /** `register` is a sign-in that begins with the registration page (`prompt=create`). */
  asks: 'sign_in' | 'register' | 'select_account' | 'consent' | 'device';
  /** Somebody typed the code of a device, and no application waits in this browser. */
  isOfDevice: boolean;
  clientId: string;
  /** src/traces/trace-id.ts */
  traceId: string;
  /** Where the callback is, if there is one; the browser must be allowed to end a form there. */
  callbackOrigin: string | undefined;
  /** Ours. */
  scopes: string[];
  /** APIs that tokens are asked for, by their identifiers, with what is asked of all of them together. */
  apis: { identifiers: string[]; scopes: string[] };
  /** A new sign-in is asked for (`prompt=login`, `max_age`), whatever the browser has been signed in to before. */
  asksAgain: boolean;
  loginHint: string | undefined;
  uiLocales: string | undefined;
  /** Who is signed in to this browser, when the engine asks. */
  accountId: string | undefined;
  /** The session in which they are (`sessions.uid_hash`). */
  sessionHash: string | undefined;
  /** Set once the person has answered: the way on, for a second click on the same button. */
  answeredPath: string | undefined;
};

/** Why there is no interaction to show: each has a page of its own, which leads back to where it began. */
export type Missing = { why: 'expired' | 'finished' | 'cookies'; left: Left };

export type Exit = {
  read(ctx: Context, uid: string): Promise<Interaction | Missing>;
  /** A reference to what was proven; it counts once the browser that proved it comes back to the engine. */
  signIn(ctx: Context, uid: string, signedIn: { accountId: string; proof: Proof }): Promise<void>;
  consent(ctx: Context, uid: string): Promise<void>;
  /** The device may sign in, as whoever is signed in here. */
  confirmDevice(ctx: Context, uid: string): Promise<void>;
  /** To go on as whoever is signed in (`prompt=select_account`). */
  keepAccount(ctx: Context, uid: string): Promise<void>;
  /** The client receives `access_denied`. */
  cancel(ctx: Context, uid: string): Promise<void>;
  /** The same request from its beginning, as somebody else. */
  startOver(ctx: Context, uid: string): Promise<void>;
};

/** `read` comes first in every request: it is what proves that the interaction is this browser's own. */
export function createExit(provider: Provider): Exit {
  const find = async (uid: string) => {
    const interaction = await provider.Interaction.find(uid);
    if (!interaction) throw outOfTurn();
    return interaction;
  };
  const answer = async (ctx: Context, result: InteractionResults, mergeWithLastSubmission = false) => {
    seeOther(ctx, await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission }));
  };
  return {
    async read(ctx, uid) {
      const cookie = ctx.cookies.get(provider.cookieName('interaction'), { signed: true });
      const stored = await provider.Interaction.find(uid);
      if (!stored) return { why: cookie === uid ? 'finished' : 'expired', left: recallApplication(ctx, uid) };
      const interaction = describe(stored);
      if (cookie !== uid) return { why: 'cookies', left: leftOf(interaction) };
      if (isOfSession(interaction) && !(await hasItsSession(provider, ctx, stored)))
        return { why: 'finished', left: leftOf(interaction) };
      return interaction;
    },
    async signIn(ctx, uid, { accountId, proof }) {
      const interaction = await find(uid);
      if (['consent', 'select_account', 'device'].includes(interaction.prompt.name)) throw outOfTurn();
      await letGoOfEndedSession(provider, ctx, interaction);
      const { amr, acr } = strengthOf(proof.method);
      const strength = { ...(amr && { amr }), ...(acr && { acr }) };
      await answer(ctx, { login: { accountId, ts: authTimeOf(proof), ...strength, proof: proof.id } });
    },
    async consent(ctx, uid) {
      const interaction = await find(uid);
      if (interaction.prompt.name !== 'consent') throw outOfTurn();
      // Merged with the sign-in of the step before, or prompt=login would ask for that again.
      await answer(ctx, { consent: {} }, true);
    },
    async confirmDevice(ctx, uid) {
      const interaction = await find(uid);
      if (interaction.prompt.name !== 'device') throw outOfTurn();
      await answer(ctx, { device: {} }, true);
    },
    async keepAccount(ctx, uid) {
      const interaction = await find(uid);
      if (interaction.prompt.name !== 'select_account') throw outOfTurn();
      await answer(ctx, { select_account: {} }, true);
    },
    async cancel(ctx, uid) {
      await letGoOfEndedSession(provider, ctx, await find(uid));
      await answer(ctx, { error: 'access_denied', error_description: 'the person cancelled' });
    },
    async startOver(ctx, uid) {
      const { params, deviceCode } = await find(uid);
      if (deviceCode) return answer(ctx, { other_account: {} });
      const request = new URLSearchParams();
      for (const [name, value] of Object.entries(params)) {
        if (name === 'login_hint') continue;
        // `resource` may come several times (RFC 8707 §2).
        for (const each of [value].flat()) if (typeof each === 'string') request.append(name, each);
      }
      request.set('prompt', 'login');
      seeOther(ctx, `/oauth/authorize?${request}`);
    },
  };
}

function leftOf({ clientId, isOfDevice }: Interaction): Left {
  return isOfDevice ? 'device' : { clientId };
}

function outOfTurn(): TollgateError {
  return new TollgateError('invalid_request', 'This step is not the next one.');
}

function describe(interaction: EngineInteraction): Interaction {
  const { uid, params, prompt, session, result, returnTo, deviceCode, lastSubmission } = interaction;
  const asked = scopesAsked({ scope: params.scope, claims: params.claims });
  const text = (name: string) => (typeof params[name] === 'string' ? params[name] : undefined);
  return {
    uid,
    asks: askedBy(prompt.name),
    clientId: text('client_id') ?? '',
    // Ours (src/oidc/engine/attempt-id.ts); a request of the release before has only its nonce.
    traceId: text('attempt') ?? traceIdOf(text('client_id') ?? '', text('nonce') ?? ''),
    isOfDevice: deviceCode !== undefined,
    callbackOrigin: deviceCode === undefined ? new URL(text('redirect_uri') ?? '').origin : undefined,
    scopes: asked.filter((scope) => supportedScopes.includes(scope)),
    apis: {
      identifiers: [params.resource].flat().filter((identifier) => typeof identifier === 'string'),
      scopes: asked.filter((scope) => !supportedScopes.includes(scope)),
    },
    asksAgain:
      (text('prompt') ?? '').split(' ').includes('login') ||
      params.max_age !== undefined ||
      (lastSubmission !== undefined && 'other_account' in lastSubmission),
    loginHint: text('login_hint'),
    uiLocales: text('ui_locales'),
    accountId: session?.accountId,
    sessionHash: session?.uid && sha256(session.uid),
    answeredPath: result ? returnTo : undefined,
  };
}

function askedBy(prompt: string): Interaction['asks'] {
  if (prompt === 'consent' || prompt === 'select_account' || prompt === 'device') return prompt;
  return prompt === 'create' ? 'register' : 'sign_in';
}

/** These are about who is signed in, not about signing in. */
function isOfSession({ asks }: Interaction): boolean {
  return asks === 'consent' || asks === 'select_account' || asks === 'device';
}

/** Signed out in another tab, ended by a new password, or somebody else's by now? */
async function hasItsSession(
  provider: Provider,
  ctx: Context,
  { session }: EngineInteraction,
): Promise<boolean> {
  if (!session) return true;
  const current = await provider.Session.get(ctx);
  return current.uid === session.uid && current.accountId === session.accountId;
}

/**
 * The engine resumes only with the session that the interaction began with. Whoever has just proven who they are, or
 * goes back to the application, needs no trace of one that is over.
 */
async function letGoOfEndedSession(
  provider: Provider,
  ctx: Context,
  interaction: EngineInteraction,
): Promise<void> {
  if (await hasItsSession(provider, ctx, interaction)) return;
  interaction.session = undefined;
  await interaction.persist();
}
