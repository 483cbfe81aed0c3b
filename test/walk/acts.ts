// All that can be done, by name, and how one step of a story is done and checked.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from './act-parts.ts';
import { accountActs } from './acts-account.ts';
import { addressActs } from './acts-address.ts';
import { applicationActs } from './acts-application.ts';
import { deviceActs } from './acts-device.ts';
import { hostedActs } from './acts-hosted.ts';
import { malice } from './acts-malice.ts';
import { onwardActs } from './acts-onward.ts';
import { passkeyActs } from './acts-passkey.ts';
import { pushedActs } from './acts-pushed.ts';
import { socialActs } from './acts-social.ts';
import { tokenActs } from './acts-tokens.ts';
import { beginStep, settleRace } from './model.ts';
import type { AnyStep, Step, Story } from './story.ts';
import { compareTables } from './tables.ts';

const acts = new Map(
  [
    ...hostedActs,
    ...onwardActs,
    ...deviceActs,
    ...pushedActs,
    ...tokenActs,
    ...passkeyActs,
    ...addressActs,
    ...socialActs,
    ...applicationActs,
    ...accountActs,
    ...malice,
  ].map((act) => [act.name, act]),
);

export function actCalled(name: string): Act {
  const act = acts.get(name);
  if (!act) throw new Error(`nobody can ${name}`);
  return act;
}

/** These change nothing that a table could show. */
const quiet = new Set([
  'wait',
  'steal-cookies',
  'hold-next',
  'hand-over',
  'begin',
  'refresh',
  'userinfo',
  'to-github',
  'exchange',
  'poll-device',
  'push',
  'bring-pushed',
  'introspect',
  'revoke-token',
  'open-account',
]);

/** @returns how many steps that were; none when there was nothing to do them with. */
export async function perform(story: Story, step: AnyStep): Promise<number> {
  const steps = 'both' in step ? step.both : [step];
  story.acting = steps.flatMap(({ who }) => story.browsers.get(who) ?? []);
  const isOrdered = 'both' in step && step.with.order === 'github last';
  beginStep(story.model, steps.length > 1 && !isOrdered);
  const done = isOrdered
    ? await inOrder(story, steps)
    : await atOnce(story, steps, Number(step.with.delay ?? 0));
  const count = done.filter(Boolean).length;
  if (count > 0 && !steps.every(({ act }) => quiet.has(act))) await compareTables(story);
  if (steps.length > 1) settleRace(story.model, story.acting);
  return count;
}

function atOnce(story: Story, steps: Step[], delay: number): Promise<boolean[]> {
  return Promise.all(
    steps.map(async (each, place) => {
      if (place > 0 && delay > 0) await sleep(delay);
      return performOne(story, each);
    }),
  );
}

/** The first one is on its way back from GitHub, which answers only when the second one is done. */
async function inOrder(story: Story, [first, second]: Step[]): Promise<boolean[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  story.world.github.holdsUntil = promise;
  const back = first ? performOne(story, first) : false;
  await sleep(ON_THE_WAY_MILLISECONDS);
  const done = second ? await performOne(story, second) : false;
  story.world.github.holdsUntil = undefined;
  resolve();
  return [await back, done];
}

/** Until the service has asked GitHub. */
const ON_THE_WAY_MILLISECONDS = 15;

async function performOne(story: Story, { act, who, with: params }: Step): Promise<boolean> {
  const browser = story.browsers.get(who);
  return browser ? actCalled(act).run(story, browser, params) : false;
}

export function tell(step: AnyStep): string {
  if ('both' in step) {
    const [first, second] = step.both;
    if (step.with.order) return `${tell(first)} But before GitHub answers: ${tell(second)}`;
    return `At the same time (${step.with.delay} ms apart): ${tell(first)} And: ${tell(second)}`;
  }
  if (step.act === 'wait')
    return `${String(step.with.time)} pass.`.replace(/^./, (first) => first.toUpperCase());
  return `${subject(step.who)} ${actCalled(step.act).tell(step.with)}.`;
}

/** "the victim's laptop" stands for who sits there. */
function subject(who: string): string {
  return `[${who}]`;
}
