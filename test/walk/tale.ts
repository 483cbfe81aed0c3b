// One story from its seed, or from its list of steps: told until the first violation.
import { createRandom, type Random } from '../crash-harness/random.ts';
import { perform } from './acts.ts';
import { leftovers, opening } from './bookends.ts';
import { chooseStep } from './choose.ts';
import type { Violation } from './model.ts';
import { type AnyStep, createStory, type Story } from './story.ts';
import { compareMails, compareTables } from './tables.ts';
import type { Theme } from './theme.ts';
import { themes } from './themes.ts';
import type { World } from './world.ts';

export type Tale = { theme: string; steps: AnyStep[]; count: number; violation: Violation | undefined };
/** Which violations count. */
export type Looks = (violation: Violation) => boolean;

let told = 0;

function begin(world: World): Story {
  told += 1;
  world.github.holdsUntil = undefined;
  return createStory(world, told);
}

export async function tellBySeed(world: World, seed: number, looks: Looks, about?: string): Promise<Tale> {
  const random = createRandom(seed);
  const theme = random.pick(themes.filter(({ name }) => !about || name.includes(about)));
  const story = begin(world);
  const tale: Tale = { theme: theme.name, steps: [], count: 0, violation: undefined };
  const hurried = { story, tale, looks };
  for (const step of opening(theme)) if (await go(hurried, step)) return tale;
  if (await wander(hurried, theme, random)) return tale;
  for (const step of leftovers(story)) if (await go(hurried, step)) return tale;
  await end(hurried);
  return tale;
}

type Telling = { story: Story; tale: Tale; looks: Looks };

async function wander(telling: Telling, theme: Theme, random: Random): Promise<boolean> {
  const length = random.between(Math.round(theme.length / 2), theme.length);
  for (let place = 0; place < length; place += 1) {
    const step = chooseStep(telling.story, theme, random);
    if (step && (await go(telling, step))) return true;
  }
  return false;
}

/** @returns whether that broke a rule. */
async function go({ story, tale, looks }: Telling, step: AnyStep): Promise<boolean> {
  const count = await perform(story, step);
  if (count === 0) return false;
  tale.steps.push(step);
  tale.count += count;
  tale.violation = story.model.violations.find(looks);
  return tale.violation !== undefined;
}

async function end({ story, tale, looks }: Telling): Promise<void> {
  for (const browser of story.browsers.values())
    for (const held of browser.held.splice(0)) await held.release();
  await compareTables(story);
  await compareMails(story);
  tale.violation = story.model.violations.find(looks);
}

/** The same steps with new people. */
export async function tellAgain(world: World, steps: AnyStep[], looks: Looks): Promise<Tale> {
  const story = begin(world);
  const tale: Tale = { theme: '', steps: [], count: 0, violation: undefined };
  for (const step of steps) if (await go({ story, tale, looks }, step)) return tale;
  await end({ story, tale, looks });
  return tale;
}
