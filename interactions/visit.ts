// One request of a person to one page of a flow: whose application it is for, in which language, what the page
// before left to say, and the dependencies that every flow uses.
import type { Context } from 'koa';
import type { Raise } from '../src/accounts/generation.ts';
import type { Passwords } from '../src/accounts/password.ts';
import type { Place } from '../src/accounts/proof.ts';
import type { ApplicationWithAppearance } from '../src/applications/appearance.ts';
import type { Clock } from '../src/clock.ts';
import type { Config } from '../src/config/config.ts';
import type { Database } from '../src/database/connection.ts';
import { TollgateError } from '../src/errors.ts';
import type { FormGuard } from '../src/http/form.ts';
import type { RateLimiter } from '../src/http/rate-limit.ts';
import type { Log } from '../src/log.ts';
import type { Mailer } from '../src/queue/mail.ts';
import type { Keys } from '../src/secrets.ts';
import type { SocialProvider } from '../src/social/provider.ts';
import type { SignInReason, SignInStep } from '../src/traces/step.ts';
import type { RecordStep } from '../src/traces/step-record.ts';
import type { Exit, Interaction } from './engine-exit.ts';
import { type Flash, takeFlashOf } from './flash.ts';
import { formTargets } from './form-targets.ts';
import { catalogue, type Language, languageOf } from './languages.ts';
import { type MailRequest, mailRequestOf } from './mail-request.ts';
import { findService } from './service.ts';
import type { Texts } from './texts/en.ts';

export type Dependencies = {
  config: Pick<Config, 'baseUrl' | 'isSecure' | 'hasDevelopmentInbox'>;
  db: Database;
  keys: Keys;
  clock: Clock;
  exit: Exit;
  formGuard: FormGuard;
  mailer: Pick<Mailer, 'queue'>;
  passwords: Passwords;
  rateLimiter: RateLimiter;
  log: Log;
  /** Those that are switched on. */
  social: SocialProvider[];
  /** Raises the account's generation: what was proven, begun or issued before ends (src/accounts/generation.ts). */
  revokeAccount(tx: Database, raise: Raise): Promise<void>;
  recordStep: RecordStep;
  /** From now on somebody is at it: the request that waits for them is kept for as long as they may need. */
  keepInteraction(uid: string): Promise<void>;
};

/** A page of a flow: the last part of its path, and the name of the form on it. */
export type Step =
  | 'sign-in'
  | 'register'
  | 'code'
  | 'resend'
  | 'passkey'
  | 'passkey-offer'
  | 'social'
  | 'social-return'
  | 'social-proof'
  | 'welcome'
  | 'password'
  | 'recover'
  | 'new-password'
  | 'recovered'
  | 'account-choice'
  | 'consent'
  | 'device'
  | 'other-account'
  | 'language'
  | 'cancel';

export type Visit = {
  interaction: Interaction;
  application: ApplicationWithAppearance;
  language: Language;
  texts: Texts;
  step: Step;
  /** Its mails go to members and listed testers alone (docs/decisions/1101). */
  mailsTestersOnly: boolean;
  flash: Flash;
  /** For the mails about what is done in it. */
  request: MailRequest;
  path(step: Step): string;
  token(step: Step): string;
};

export async function openVisit(
  deps: Dependencies,
  ctx: Context,
  interaction: Interaction,
  step: Step,
): Promise<Visit> {
  const application = await findService(deps.db, interaction.clientId);
  if (!application) throw new TollgateError('invalid_request', 'This application no longer exists.');
  ctx.state.cspFormAction = formTargets(application, interaction.callbackOrigin);
  const language = languageOf(ctx, interaction.uiLocales);
  const { uid } = interaction;
  const visit: Visit = {
    interaction,
    application,
    language,
    texts: catalogue[language],
    step,
    mailsTestersOnly: application.isTest && !deps.config.hasDevelopmentInbox,
    flash: ctx.method === 'POST' ? {} : takeFlashOf(ctx, deps, uid),
    request: mailRequestOf(ctx, deps.clock()),
    path: (target) => stepPath(uid, target),
    token: (target) => deps.formGuard.token(ctx, formName(uid, target)),
  };
  // For an error page, should one follow: it keeps the application's name and the way back to it.
  ctx.state.visit = visit;
  return visit;
}

/** For the company's eyes (src/traces/step.ts). Costs the person no time. */
export function note(
  deps: Pick<Dependencies, 'recordStep'>,
  { interaction }: Pick<Visit, 'interaction'>,
  step: SignInStep,
  reason?: SignInReason,
): void {
  deps.recordStep({ clientId: interaction.clientId, traceId: interaction.traceId, step, reason });
}

/** Of this request: what is typed and proven in it belongs to this browser and interaction. */
export function placeOf(
  deps: Pick<Dependencies, 'formGuard'>,
  ctx: Context,
  visit: Pick<Visit, 'interaction'>,
): Place {
  return { uid: visit.interaction.uid, browser: deps.formGuard.browser(ctx) ?? '' };
}

export function stepPath(uid: string, step: Step): string {
  return `/interaction/${uid}/${step}`;
}

/** A token made for one step of one interaction is good for nothing else. */
export function formName(uid: string, step: Step): string {
  return `${step} ${uid}`;
}
