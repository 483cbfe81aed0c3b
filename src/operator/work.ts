// Long work as the operator sees it: what is not done, how far it is, and a hand for it when no service is running.
import { z } from 'zod';
import { longWorkHandMilliseconds, longWorkShown } from '../limits/bites.ts';
import {
  createWorkSizes,
  findWork,
  type LongWork,
  listUnfinishedWork,
  takeWorkBite,
} from '../queue/long-work.ts';
import { workKinds } from '../service/long-work-kinds.ts';
import { type Answer, type Operation, operation } from './operation.ts';

const which = z.strictObject({ kind: z.string(), subject: z.string() });

export const workOperations: Record<string, Operation> = {
  'work list': operation(z.strictObject({}), async ({ db }) => ({
    data: (await listUnfinishedWork(db, longWorkShown)).map(stateOf),
  })),

  /** For a second or so; whoever wants it done asks again. Nothing that another process is doing is done twice. */
  'work go-on': operation(which, async ({ db, clock }, input) => {
    const sizes = createWorkSizes(workKinds);
    const endsAt = performance.now() + longWorkHandMilliseconds;
    while (performance.now() < endsAt) {
      const done = await takeWorkBite({ db, clock, kinds: workKinds }, sizes, input);
      if (!done || 'error' in done) break;
    }
    const work = await findWork(db, input);
    return work ? stateOf(work) : { ...input, done: 0, total: null, finished: true, error: null };
  }),
};

function stateOf({ kind, subject, done, total, startedAt, finishedAt, error }: LongWork): Answer {
  return {
    kind,
    subject,
    done,
    total,
    startedAt: startedAt.toISOString(),
    finished: finishedAt !== null,
    error,
  };
}
