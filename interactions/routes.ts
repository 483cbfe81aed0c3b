// The hosted pages' addresses, in the order in which a person may meet them. Every address is a page (GET, changes
// nothing) or a form (POST, ends in a redirect), of one interaction in one browser.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { entriesOf } from '../src/entries.ts';
import { TollgateError } from '../src/errors.ts';
import { createFormGuard, type FormFields, readForm } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { serveRoutes } from '../src/http/routing.ts';
import { serveAssets } from '../src/page/assets.ts';
import { createAccountChoice } from './account-choice.tsx';
import { createConsent } from './consent.tsx';
import { serveDevelopmentInbox } from './development-inbox.tsx';
import { serveStyleGuide } from './development-styles.tsx';
import { createDevice } from './device.tsx';
import { createExit, type Interaction } from './engine-exit.ts';
import { showMissing } from './error-page.tsx';
import { known, rememberLanguage } from './languages.ts';
import { rememberApplication } from './left-application.ts';
import { createPasskeys } from './passkey.tsx';
import { createPassword } from './password.tsx';
import { createRecover } from './recover.tsx';
import { createRegister } from './register.tsx';
import { createSignIn } from './sign-in.tsx';
import { createSocial } from './social.tsx';
import { serveSocialCallbacks } from './social-callback.ts';
import { createVerifyCode } from './verify-code.tsx';
import { type Dependencies, formName, note, openVisit, type Step, stepPath, type Visit } from './visit.ts';
import { createWelcome } from './welcome.tsx';

export type InteractionDependencies = Omit<Dependencies, 'exit' | 'formGuard'> & {
  provider: Parameters<typeof createExit>[0];
};

type Page = (ctx: Context, visit: Visit) => Promise<void>;
type Submit = (ctx: Context, visit: Visit, fields: FormFields) => Promise<void>;
type Steps = Record<Step, { page?: Page; form?: Submit }>;

export function createInteractions(given: InteractionDependencies): Middleware {
  const deps: Dependencies = {
    ...given,
    exit: createExit(given.provider),
    formGuard: createFormGuard({ keys: given.keys, secure: given.config.isSecure }),
  };
  const signIn = createSignIn(deps);
  const register = createRegister(deps);
  const verifyCode = createVerifyCode(deps);
  const welcome = createWelcome(deps);
  const password = createPassword(deps);
  const recover = createRecover(deps);
  const accountChoice = createAccountChoice(deps);
  const consent = createConsent(deps);
  const device = createDevice(deps);
  const social = createSocial(deps);
  const passkeys = createPasskeys(deps);

  const hostedPages = serveSteps(deps, {
    'sign-in': { page: signIn.show, form: signIn.submit },
    register: { page: register.show, form: register.submit },
    code: { page: verifyCode.show, form: verifyCode.submit },
    resend: { form: verifyCode.resend },
    passkey: { form: passkeys.signIn },
    'passkey-offer': { page: passkeys.showOffer, form: passkeys.answerOffer },
    social: { page: social.start },
    'social-return': { page: social.arrive },
    'social-proof': { page: social.showProof, form: social.submitProof },
    welcome: { page: welcome.show, form: welcome.submit },
    password: { page: password.show, form: password.submit },
    recover: { page: recover.show, form: recover.submit },
    'new-password': { page: recover.showNewPassword, form: recover.submitNewPassword },
    recovered: { page: recover.showRecovered, form: recover.goOn },
    'account-choice': { page: accountChoice.show, form: accountChoice.keep },
    consent: { page: consent.show, form: consent.submit },
    device: { page: device.show, form: device.submit },
    'other-account': { form: consent.useOtherAccount },
    language: { form: chooseLanguage },
    cancel: { form: (ctx, visit) => cancel(deps, ctx, visit) },
  });
  const inbox = deps.config.hasDevelopmentInbox ? serveDevelopmentInbox(deps.db) : undefined;
  const own: Middleware = inbox
    ? (ctx, next) => inbox(ctx, () => serveStyleGuide(ctx, () => hostedPages(ctx, next)))
    : hostedPages;
  const callbacks = serveSocialCallbacks(deps);
  return (ctx, next) => serveAssets(ctx, () => callbacks(ctx, () => own(ctx, next)));
}

async function cancel(deps: Dependencies, ctx: Context, visit: Visit): Promise<void> {
  await deps.exit.cancel(ctx, visit.interaction.uid);
  note(deps, visit, 'cancelled', 'person_cancelled');
}

const opened = {
  sign_in: 'page_opened',
  register: 'registration_opened',
  select_account: 'account_asked',
  consent: 'consent_asked',
  device: 'device_asked',
} as const;
const firstStep = {
  sign_in: 'sign-in',
  register: 'register',
  select_account: 'account-choice',
  consent: 'consent',
  device: 'device',
} as const;
/** Of somebody who is signed in; every other step is of somebody who is not, yet. */
const stepsOfSession: Partial<Record<Interaction['asks'], Step[]>> = {
  consent: ['consent', 'passkey-offer', 'other-account'],
  select_account: ['account-choice', 'other-account'],
  device: ['device', 'other-account'],
};
/** A form that anybody can send without having typed a word. */
const saysNothing: Step[] = ['language', 'cancel'];
const UID = /^[\w-]{1,64}$/;

/** What comes first for every step: is there such a page, whose interaction is it, is it this step's turn? */
function serveSteps(deps: Dependencies, steps: Steps): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  router.get('/interaction/:uid', (ctx) => showPage(deps, ctx, { uid: uidOf(ctx) }));
  for (const [step, { page, form }] of entriesOf(steps)) {
    const path = `/interaction/:uid/${step}`;
    if (page) router.get(path, (ctx) => showPage(deps, ctx, { uid: uidOf(ctx), step, page }));
    if (form) router.post(path, (ctx) => receiveForm(deps, ctx, { uid: uidOf(ctx), step, form }));
  }
  return serveRoutes(router, { below: '/interaction/' });
}

function uidOf(ctx: { params: Record<string, string> }): string {
  const { uid = '' } = ctx.params;
  if (!UID.test(uid)) throw new TollgateError('not_found', 'There is nothing at this address.');
  return uid;
}

type PageRequest = { uid: string; step?: Step; page?: Page };

async function showPage(deps: Dependencies, ctx: Context, { uid, step, page }: PageRequest): Promise<void> {
  const interaction = await readInteraction(deps, ctx, uid);
  if (!interaction) return;
  // Where the engine sends a browser, once.
  if (!step) note(deps, { interaction }, opened[interaction.asks]);
  if (!step || !page || !isItsTurn(step, interaction)) {
    seeOther(ctx, stepPath(uid, firstStep[interaction.asks]));
    return;
  }
  const visit = await openVisit(deps, ctx, interaction, step);
  ctx.type = 'html';
  await page(ctx, visit);
}

type FormRequest = { uid: string; step: Step; form: Submit };

async function receiveForm(
  deps: Dependencies,
  ctx: Context,
  { uid, step, form }: FormRequest,
): Promise<void> {
  await deps.rateLimiter.consume('sign_in_posts', ipAddressKey(ctx.state.ipAddress));
  const fields = await readForm(ctx);
  const interaction = await readInteraction(deps, ctx, uid);
  if (!interaction) return;
  deps.formGuard.verify(ctx, formName(uid, step), fields);
  if (!isItsTurn(step, interaction)) {
    throw new TollgateError('invalid_request', 'This step is not the next one.');
  }
  if (!saysNothing.includes(step)) await deps.keepInteraction(uid);
  await form(ctx, await openVisit(deps, ctx, interaction, step), fields);
}

async function readInteraction(
  deps: Dependencies,
  ctx: Context,
  uid: string,
): Promise<Interaction | undefined> {
  const found = await deps.exit.read(ctx, uid);
  if ('why' in found) {
    await showMissing(ctx, deps.db, found);
    return undefined;
  }
  rememberApplication(ctx, found);
  // For an error page, should one follow.
  ctx.state.signInTrace = found.traceId;
  if (found.answeredPath) {
    // A second click on the last button: the first one's answer is on its way.
    seeOther(ctx, found.answeredPath);
    return undefined;
  }
  return found;
}

function isItsTurn(step: Step, { asks }: Interaction): boolean {
  if (step === 'cancel' || step === 'language') return true;
  const steps = stepsOfSession[asks];
  return steps ? steps.includes(step) : !Object.values(stepsOfSession).flat().includes(step);
}

const chooseLanguage: Submit = async (ctx, visit, fields) => {
  const language = known(fields.language);
  if (language) rememberLanguage(ctx, language);
  const page = languagePages.find((step) => step === fields.step) ?? firstStep[visit.interaction.asks];
  seeOther(ctx, visit.path(page));
};

const languagePages: Step[] = [
  'sign-in',
  'register',
  'code',
  'social-proof',
  'welcome',
  'password',
  'recover',
  'new-password',
  'recovered',
  'account-choice',
  'consent',
  'device',
];
