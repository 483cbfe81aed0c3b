// Pages for what went wrong: in plain words, with a way on, and with the reference that is in the log as well. Within a
// flow they keep the application's name and logo, the languages, other ways to sign in and the way back.
// What a machine needs to know stands below, for developers only.
import type { Context } from 'koa';
import type { ErrorCode, TollgateError } from '../src/errors.ts';
import { interactionSeconds } from '../src/limits/token-lifetimes.ts';
import { ButtonLink } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { CardPage } from '../src/page/layout.tsx';
import type { Missing } from './engine-exit.ts';
import { Frame } from './frame.tsx';
import { catalogue, duration, type Language, languageOf } from './languages.ts';
import type { Texts } from './texts/en.ts';
import { testModeTexts } from './texts/test-mode.ts';
import type { Visit } from './visit.ts';

/** For src/http/error-answer.ts: the page to a TollgateError that was thrown anywhere below. */
export function createErrorPage() {
  return (ctx: Context, error: TollgateError): void => {
    const visit: Visit | undefined = ctx.state.visit;
    const language = visit?.language ?? languageOf(ctx, queryText(ctx, 'ui_locales'));
    const [heading, text] = wordsFor(error, language);
    const isExpected = error.status < 500 && error.code !== 'invalid_request';
    show(ctx, {
      symbol: error.retryAfterSeconds ? 'waiting' : 'problem',
      visit,
      language,
      heading,
      text,
      back: wayBack(ctx, catalogue[language]) ?? wayOn(ctx, error.status, catalogue[language]),
      developer: error.code === 'invalid_request' ? [error.code, error.description] : undefined,
      references: isExpected ? [] : [ctx.state.requestId, ctx.state.signInTrace],
    });
  };
}

/** The engine has no interaction for this page, or not for this browser. */
export function showMissing(ctx: Context, missing: Missing): void {
  const language = languageOf(ctx);
  const { errors } = catalogue[language];
  const words: Record<Missing, [string, string]> = {
    expired: [errors.expiredHeading, errors.expired(duration(language, interactionSeconds))],
    finished: [errors.finishedHeading, errors.finished],
    cookies: [errors.cookiesHeading, errors.cookies],
  };
  const [heading, text] = words[missing];
  ctx.status = 400;
  const symbol = missing === 'cookies' ? 'problem' : 'information';
  show(ctx, { symbol, language, heading, text, back: { path: '/', label: errors.toStart } });
}

/** A request that may not be sent back to a client: unknown client, wrong callback, broken resumption. */
export function showRefusal(
  ctx: Context,
  refusal: {
    error: string;
    description: string;
    requestId: string;
    /** The attempt, under the name by which the company finds it. */
    traceId?: string | undefined;
    reason?: 'page_expired' | 'refused';
    callback?: { sent: string; registered: string[] } | undefined;
  },
): void {
  const language = languageOf(ctx, queryText(ctx, 'ui_locales'));
  if (refusal.reason === 'page_expired') {
    showMissing(ctx, 'finished');
    return;
  }
  const { errors } = catalogue[language];
  const isOurs = refusal.error === 'server_error';
  show(ctx, {
    symbol: 'problem',
    language,
    heading: isOurs ? errors.unknownHeading : errors.requestHeading,
    text: isOurs ? errors.unknown : errors.request,
    developer: isOurs ? undefined : [refusal.error, refusal.description],
    callback: refusal.callback,
    references: [refusal.requestId, refusal.traceId],
  });
}

function wordsFor(error: TollgateError, language: Language): [heading: string, text: string] {
  const { errors } = catalogue[language];
  const words: Partial<Record<ErrorCode, [string, string]>> = {
    too_many_requests: [
      errors.tooManyHeading,
      errors.tooMany(duration(language, error.retryAfterSeconds ?? 60)),
    ],
    temporarily_unavailable: [errors.balanceHeading, errors.balance],
    forbidden: [errors.formHeading, errors.form],
    not_found: [errors.notFoundHeading, errors.notFound],
    method_not_allowed: [errors.notFoundHeading, errors.notFound],
    service_unavailable: [errors.busyHeading, errors.busy],
    conflict: [errors.finishedHeading, errors.finished],
    address_reserved: [errors.reservedHeading, errors.reserved],
  };
  const fallback: [string, string] =
    error.status >= 500 ? [errors.unknownHeading, errors.unknown] : [errors.requestHeading, errors.request];
  return words[error.code] ?? fallback;
}

const STEP_PATH = /^(\/interaction\/[\w-]{10,64})(?:\/([a-z-]+))?$/;
/** A page that can be opened again stands in for each form that has none, or whose limit is used up. */
const backFrom: Record<string, string> = { resend: 'code', password: 'sign-in', language: '', cancel: '' };

function wayBack(ctx: Context, texts: Texts): Link | undefined {
  const [, interaction, step = ''] = STEP_PATH.exec(ctx.path) ?? [];
  if (!interaction) return undefined;
  const target = backFrom[step] ?? step;
  return { path: target ? `${interaction}/${target}` : interaction, label: texts.shared.back };
}

/** Whoever has come to an end; what is only busy, or our fault, is tried again where it is. */
function wayOn(ctx: Context, status: number, { errors }: Texts): Link | undefined {
  if (status >= 500 || status === 429) return undefined;
  if (ctx.path.startsWith('/settings/')) return { path: '/settings', label: errors.toSettings };
  if (ctx.path.startsWith('/account/')) return { path: '/account', label: errors.toAccount };
  return { path: '/', label: errors.toStart };
}

function queryText(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : undefined;
}

type Link = { path: string; label: string };
type Shown = {
  symbol: 'problem' | 'information' | 'waiting';
  /** Where an application is known. */
  visit?: Visit | undefined;
  language: Language;
  heading: string;
  text: string;
  back?: Link | undefined;
  developer?: [code: string, description: string] | undefined;
  /** Of an application in test mode. */
  callback?: { sent: string; registered: string[] } | undefined;
  /** Of the request, and of the attempt where there is one. */
  references?: (string | undefined)[];
};

function show(ctx: Context, shown: Shown): void {
  ctx.type = 'html';
  ctx.body = renderPage(<ErrorPage {...shown} />);
}

function ErrorPage(shown: Shown) {
  const { symbol, visit, language, heading, text, back } = shown;
  const hasDetails = shown.developer || shown.references?.some((reference) => reference !== undefined);
  const foot = hasDetails ? <Details {...shown} /> : undefined;
  const ways = (
    <div class="stack-tight">
      {back && <ButtonLink href={back.path}>{back.label}</ButtonLink>}
      {visit && isSigningIn(visit) && (
        <ButtonLink kind="quiet" href={visit.path('sign-in')}>
          {visit.texts.social.otherWay}
        </ButtonLink>
      )}
    </div>
  );
  if (visit)
    return (
      <Frame visit={visit} heading={heading} lead={text} foot={foot}>
        {ways}
      </Frame>
    );
  return (
    <CardPage language={language} title={heading} heading={heading} lead={text} symbol={symbol} foot={foot}>
      {back && ways}
    </CardPage>
  );
}

/** Somebody who is signed in and asked for consent has no other way in to choose. */
function isSigningIn({ interaction, step }: Visit): boolean {
  return (interaction.asks === 'sign_in' || interaction.asks === 'register') && step !== 'sign-in';
}

function Details({ language, developer, callback, references = [] }: Shown) {
  const { errors } = catalogue[language];
  const known = references.filter((reference) => reference !== undefined);
  return (
    <dl class="meta fine">
      {developer && <dt>{errors.forDevelopers}</dt>}
      {developer && (
        <dd>
          <code>{developer[0]}</code> {developer[1]}
        </dd>
      )}
      {callback && <dt>{testModeTexts[language].sent}</dt>}
      {callback && (
        <dd>
          <code>{callback.sent}</code>
        </dd>
      )}
      {callback && <dt>{testModeTexts[language].registered}</dt>}
      {callback?.registered.map((uri) => (
        <dd key={uri}>
          <code>{uri}</code>
        </dd>
      ))}
      {known.length > 0 && <dt>{errors.reference}</dt>}
      {known.map((reference) => (
        <dd key={reference}>
          <code>{reference}</code>
        </dd>
      ))}
    </dl>
  );
}
