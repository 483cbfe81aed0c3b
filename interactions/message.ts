// What one page leaves for the next to say, so that every post can end in a redirect and a reload never posts
// twice: a sealed cookie that lives for one interaction's pages and is read once.
import type { Context } from 'koa';
import { type PageCookie, readCookie, removeCookie, writeCookie } from '../src/http/cookies.ts';
import { pageNoticeSeconds } from '../src/limits/protocol.ts';
import { type Keys, seal, unseal } from '../src/secrets.ts';
import type { Texts } from './texts/en.ts';

export type Problem = keyof Texts['problems'];
export type Remark =
  | 'codeWrong'
  | 'codeExpired'
  | 'codeUsedUp'
  | 'codeSent'
  | 'passwordWrong'
  | 'passkeyRefused'
  | 'socialFailed'
  | 'socialCancelled'
  | 'socialOver'
  | 'passwordChanged'
  | 'signInOver';

/** What was typed is shown again; passwords and codes never are. */
export type Message = {
  problem?: Problem;
  remark?: Remark;
  email?: string;
  name?: string;
  provider?: string;
};

type Place = { keys: Pick<Keys, 'sealing'>; uid: string };

export function leaveMessage(
  ctx: Context,
  { keys, uid, step, message }: Place & { step: string; message: Message },
): void {
  // For the metrics: why a page is shown again.
  ctx.state.refusal = message.problem ?? (isRefusal(message.remark) ? message.remark : undefined);
  writeCookie(
    ctx,
    cookieOf(uid),
    seal(keys, JSON.stringify({ step, message }), context(uid)),
    pageNoticeSeconds,
  );
}

function isRefusal(remark: Remark | undefined): boolean {
  return remark !== 'codeSent' && remark !== 'passwordChanged';
}

/** A message for another page, or of another interaction, stays where it is. */
export function takeMessage(ctx: Context, { keys, uid, step }: Place & { step: string }): Message {
  const sealed = readCookie(ctx, cookieOf(uid));
  if (!sealed) return {};
  const left = open(keys, sealed, uid);
  if (left?.step !== step) return {};
  removeCookie(ctx, cookieOf(uid));
  return left.message;
}

function open(
  keys: Place['keys'],
  sealed: string,
  uid: string,
): { step: string; message: Message } | undefined {
  try {
    return JSON.parse(unseal(keys, sealed, context(uid)));
  } catch {
    // Cut, forged or sealed with an older secret: as good as none.
    return undefined;
  }
}

function context(uid: string): string {
  return `message ${uid}`;
}

function cookieOf(uid: string): PageCookie {
  return { name: 'tollgate_message', path: `/interaction/${uid}` };
}
