// What a room refuses, on the page that it was typed into: the same page again, with the sentence that says what is wrong.
import type { Context } from 'koa';
import { TollgateError } from '../../errors.ts';

export async function orShow(
  ctx: Context,
  change: () => Promise<void>,
  show: (problem: string) => void | Promise<void>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof TollgateError) || error.code !== 'invalid_request') throw error;
    ctx.status = 400;
    await show(error.description);
  }
}
