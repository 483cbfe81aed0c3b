// Chance: which step comes next. People mostly do what the page in front of them suggests; the theme says what else they
// have in mind.
import type { Random } from '../crash-harness/random.ts';
import { actCalled } from './acts.ts';
import type { Browser, Tab } from './cast.ts';
import type { AnyStep, Params, Step, Story } from './story.ts';
import type { Theme } from './theme.ts';

const ATTEMPTS = 12;
/** Milliseconds between two starts; a password hash takes twenty. */
const delays = ['0', '1', '3', '8', '20'];
const wishes = ['', '', 'by=post', 'prompt=login', 'max_age=60', 'acr_values=phr', 'prompt=select_account'];

export function chooseStep(story: Story, theme: Theme, random: Random): AnyStep | undefined {
  const first = chooseOne(story, theme, random);
  if (!first || random.next() >= theme.together) return first;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const second = chooseOne(story, theme, random);
    const isForm = second && second.who !== first.who && !still.has(second.act) && !still.has(first.act);
    if (!isForm) continue;
    const comesBack = [first, second].find(({ act }) => act === 'from-github');
    if (comesBack && random.next() < 0.5) {
      const other = comesBack === first ? second : first;
      return {
        act: 'together',
        who: comesBack.who,
        with: { order: 'github last' },
        both: [comesBack, other],
      };
    }
    return { act: 'together', who: first.who, with: { delay: random.pick(delays) }, both: [first, second] };
  }
  return first;
}

/** No request, or none that could race. */
const still = new Set([
  'wait',
  'steal-cookies',
  'hold-next',
  'hand-over',
  'refresh',
  'userinfo',
  'pester',
  'poll-device',
  'push',
  'introspect',
  'revoke-token',
]);

function chooseOne(story: Story, theme: Theme, random: Random): Step | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const who = weighted(theme.cast, random);
    const browser = story.browsers.get(who);
    if (!browser) continue;
    const step =
      random.next() < theme.sensible
        ? suggested(story, browser, theme, random)
        : anyOf(story, browser, theme, random);
    if (step) return step;
  }
  return undefined;
}

function anyOf(story: Story, browser: Browser, theme: Theme, random: Random): Step | undefined {
  return withChoice(story, browser, weighted(theme.acts, random), { theme, random });
}

type Choosing = { theme: Theme; random: Random; tab?: Tab };

function withChoice(
  story: Story,
  browser: Browser,
  act: string,
  { theme, random, tab }: Choosing,
): Step | undefined {
  const prefer = Object.entries({ ...theme.prefer, ...theme.preferIn?.[browser.name] });
  const offers = actCalled(act)
    .offers(story, browser)
    .filter((each) => !tab || each.tab === tab.name)
    .filter((each) => prefer.every(([name, values]) => !(name in each) || values.includes(each[name] ?? '')));
  if (offers.length === 0) return undefined;
  const params: Params = { ...random.pick(offers) };
  if (act === 'begin') {
    const wish = random.pick(theme.prefer?.wish ?? wishes);
    if (wish) params.wish = wish;
  }
  return { act, who: browser.name, with: params };
}

/** What each page of a sign-in suggests, with weights; the theme's own come on top. */
const suggestions: Record<string, Record<string, number>> = {
  'sign-in': { 'ask-code': 2, password: 0.4, 'to-github': 0.6, 'use-passkey': 1, register: 0.3 },
  register: { register: 1 },
  code: { 'type-code': 1, 'to-github': 0.02, welcome: 0.05 },
  'social-proof': { 'social-proof': 1, 'to-github': 0.05 },
  welcome: { welcome: 1, 'to-github': 0.4 },
  password: { password: 1, recover: 1 },
  recover: { recover: 1 },
  'new-password': { 'new-password': 1 },
  recovered: { 'go-on': 1, password: 0.2 },
  'account-choice': { 'keep-account': 1 },
  consent: { consent: 1, 'add-passkey': 0.2 },
  device: { 'let-device-in': 1, 'poll-device': 0.2 },
  'passkey-offer': { 'decline-passkey': 1, 'add-passkey': 0.3 },
};

function suggested(story: Story, browser: Browser, theme: Theme, random: Random): Step | undefined {
  if (browser.held.length > 0 && random.next() < 0.3)
    return withChoice(story, browser, 'release', { theme, random });
  const tab = random.pick(browser.tabs.filter(({ name }) => theme.prefer?.tab?.includes(name) ?? true));
  const here = { theme, random, tab };
  if (!tab.page && !tab.uid && tab.name === 'first') return withChoice(story, browser, 'begin', here);
  if (tab.callback) return withChoice(story, browser, 'exchange', here);
  if (tab.away) return withChoice(story, browser, 'from-github', here);
  if (tab.parked && random.next() < 0.3) return withChoice(story, browser, 'follow-parked', here);
  const step = tab.page?.step;
  const weights = step && suggestions[step];
  if (!weights) return undefined;
  const combined = Object.fromEntries(
    Object.entries(weights).map(([act, weight]) => [
      act,
      ((step === 'sign-in' ? theme.suggests?.[act] : undefined) ?? weight) * (1 + (theme.acts[act] ?? 0)),
    ]),
  );
  return withChoice(story, browser, weighted(combined, random), here);
}

function weighted(weights: Record<string, number>, random: Random): string {
  const entries = Object.entries(weights);
  let left = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries.at(-1)?.[0] ?? '';
}
