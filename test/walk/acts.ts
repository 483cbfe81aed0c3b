// All that can be done, by name, and how one step of a story is done and checked.

import type { Act } from './act-parts.ts';
import { accountActs } from './acts-account.ts';
import { applicationActs } from './acts-application.ts';
import { hostedActs } from './acts-hosted.ts';
import { malice } from './acts-malice.ts';
import { socialActs } from './acts-social.ts';
import type { AnyStep, Step, Story } from './story.ts';
import { compareTables } from './tables.ts';

const acts = new Map(
  [...hostedActs, ...socialActs, ...applicationActs, ...accountActs, ...malice].map((act) => [act.name, act]),
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
  'slow-github',
  'hand-over',
  'begin',
  'refresh',
  'userinfo',
  'to-github',
  'exchange',
  'open-account',
]);

/** @returns how many steps that were; none when there was nothing to do them with. */
export async function perform(story: Story, step: AnyStep): Promise<number> {
  const steps = 'both' in step ? step.both : [step];
  story.acting = steps.flatMap(({ who }) => story.browsers.get(who) ?? []);
  const done = await Promise.all(
    steps.map(async (each, place) => {
      const delay = place > 0 && 'both' in step ? Number(step.with.delay) : 0;
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      return (await performOne(story, each)) ? 1 : 0;
    }),
  );
  const count = done.reduce<number>((sum, each) => sum + each, 0);
  if (count > 0 && !steps.every(({ act }) => quiet.has(act))) await compareTables(story);
  return count;
}

async function performOne(story: Story, { act, who, with: params }: Step): Promise<boolean> {
  const browser = story.browsers.get(who);
  return browser ? actCalled(act).run(story, browser, params) : false;
}

export function tell(step: AnyStep): string {
  if ('both' in step) {
    const [first, second] = step.both;
    return `At the same time (${step.with.delay} ms apart): ${tell(first)} And: ${tell(second)}`;
  }
  return `${subject(step.who)} ${actCalled(step.act).tell(step.with)}.`;
}

/** "the victim's laptop" stands for who sits there. */
function subject(who: string): string {
  return `[${who}]`;
}
