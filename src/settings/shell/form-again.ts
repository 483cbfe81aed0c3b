// A form that cannot be saved: the same page again, with everything that was typed and what is wrong with it.
import type { Context } from 'koa';
import { TollgateError } from '../../errors.ts';

/** One sentence for each wrong field; `page` for what no field can mend. */
export type Problems = { page?: string | undefined };

type Submitted<P extends Problems> = {
  problems: P;
  save(): Promise<void>;
  again(problems: P | Problems): Promise<void>;
};

/** Saves unless something is wrong. */
export async function saveOrShowAgain<P extends Problems>(
  ctx: Context,
  { problems, save, again }: Submitted<P>,
): Promise<void> {
  if (isRefused(problems)) {
    ctx.status = 400;
    return again(problems);
  }
  const refusal = await refusalOf(save);
  if (!refusal) return;
  ctx.status = refusal.status;
  await again({ page: refusal.description });
}

export function isRefused(problems: object): boolean {
  return Object.values(problems).some(Boolean);
}

/** What the person can mend, for the page to say; every other failure goes on. */
export async function refusalOf(work: () => Promise<void>): Promise<TollgateError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof TollgateError && MENDABLE.has(error.code)) return error;
    throw error;
  }
}

const MENDABLE = new Set(['invalid_request', 'conflict', 'too_many_requests']);
