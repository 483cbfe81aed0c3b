// Pages for what went wrong: in plain words, with a way on, and with the reference that is in the log as well. Here is which
// words and which way; error-card.tsx draws them.
import type { Context } from 'koa';
import type { ApplicationWithAppearance } from '../src/applications/appearance.ts';
import type { Database } from '../src/database/connection.ts';
import type { ErrorCode, TollgateError } from '../src/errors.ts';
import { findFirstPartyClient } from '../src/first-party/clients.ts';
import { interactionSeconds } from '../src/limits/token-lifetimes.ts';
import type { Missing } from './engine-exit.ts';
import { type Link, showError } from './error-card.tsx';
import { catalogue, duration, type Language, languageOf } from './languages.ts';
import { findLeft, homeOf } from './left-application.ts';
import { deviceTexts } from './texts/device.ts';
import type { Texts } from './texts/en.ts';
import type { Visit } from './visit.ts';

/** For src/http/error-answer.ts: the page to a TollgateError that was thrown anywhere below. */
export function createErrorPage() {
  return (ctx: Context, error: TollgateError): void => {
    const visit: Visit | undefined = ctx.state.visit;
    const language = visit?.language ?? languageOf(ctx, queryText(ctx, 'ui_locales'));
    const [heading, text] = wordsFor(error, language);
    const isExpected = error.status < 500 && error.code !== 'invalid_request';
    showError(ctx, {
      symbol: error.retryAfterSeconds ? 'waiting' : 'problem',
      visit,
      language,
      heading,
      text,
      back: wayBack(ctx, catalogue[language]) ?? wayOn(ctx, error.status, language),
      developer: error.code === 'invalid_request' ? [error.code, error.description] : undefined,
      references: isExpected ? [] : [ctx.state.requestId, ctx.state.signInTrace],
    });
  };
}

/** The engine has no interaction for this page, or not for this browser. */
export async function showMissing(ctx: Context, db: Database, { why, left }: Missing): Promise<void> {
  const language = languageOf(ctx);
  const { errors } = catalogue[language];
  const words: Record<Missing['why'], [string, string]> = {
    expired: [errors.expiredHeading, errors.expired(duration(language, interactionSeconds))],
    finished: [errors.finishedHeading, errors.finished],
    cookies: [errors.cookiesHeading, errors.cookies],
  };
  const [heading, text] = words[why];
  const application = left && left !== 'device' ? await findLeft(db, left.clientId) : undefined;
  const back = left === 'device' ? toDevice(language) : homeward(language, application);
  ctx.status = 400;
  const symbol = why === 'cookies' ? 'problem' : 'information';
  showError(ctx, { symbol, language, heading, text, application, back });
}

/** A request that may not be sent back to a client: unknown client, wrong callback, broken resumption. */
export async function showRefusal(
  ctx: Context,
  db: Database,
  refusal: {
    /** Of an application that exists and is in use. */
    clientId: string | undefined;
    /** As the request has it, whoever wrote it. */
    sentCallback: unknown;
    error: string;
    description: string;
    requestId: string;
    /** The attempt, under the name by which the company finds it. */
    traceId?: string | undefined;
    reason?: 'page_expired' | 'refused';
    callback?: { sent: string; registered: string[] } | undefined;
  },
): Promise<void> {
  const language = languageOf(ctx, queryText(ctx, 'ui_locales'));
  const { clientId, sentCallback } = refusal;
  const left = clientId === undefined ? undefined : { clientId };
  if (refusal.reason === 'page_expired') return showMissing(ctx, db, { why: 'finished', left });
  const application = left && (await findLeft(db, left.clientId));
  const { errors } = catalogue[language];
  const isOurs = refusal.error === 'server_error';
  showError(ctx, {
    symbol: 'problem',
    language,
    heading: isOurs ? errors.unknownHeading : errors.requestHeading,
    text: isOurs ? errors.unknown : errors.request(application?.name),
    application,
    back: homeward(language, application, sentCallback),
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
    error.status >= 500 ? [errors.unknownHeading, errors.unknown] : [errors.requestHeading, errors.request()];
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
function wayOn(ctx: Context, status: number, language: Language): Link | undefined {
  // Its forms end here: what is sent again would be a code once more.
  if (/^\/device(\/|$)/.test(ctx.path)) return toDevice(language);
  const { errors } = catalogue[language];
  if (status >= 500 || status === 429) return undefined;
  if (ctx.path.startsWith('/settings/')) return { path: '/settings', label: errors.toSettings };
  if (ctx.path.startsWith('/account/')) return { path: '/account', label: errors.toAccount };
  return { path: '/', label: errors.toStart };
}

function homeward(language: Language, application?: ApplicationWithAppearance, sent?: unknown): Link {
  const { errors, shared } = catalogue[language];
  const own = application && findFirstPartyClient(application.clientId);
  const sentText = typeof sent === 'string' ? sent : undefined;
  const home = own ? own.path : application && homeOf(application, sentText);
  if (!application || home === undefined) return { path: '/', label: errors.toStart };
  return { path: home, label: shared.backTo(application.name) };
}

function toDevice(language: Language): Link {
  return { path: '/device', label: deviceTexts[language].codeHeading };
}

function queryText(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : undefined;
}
