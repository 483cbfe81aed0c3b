// What all acts are made of: which tabs they fit, the form of a step of a sign-in, and sending it.
import type { Form } from '../harness/browserless-browser.ts';
import { type Browser, type Landed, type Post, type Tab, tabOf } from './cast.ts';
import type { Params, Story } from './story.ts';
import { filled, findForm, post } from './surf.ts';
import type { Answer } from './wire.ts';

export type Act = {
  name: string;
  /** Every choice that makes sense now; none when nobody could do it. */
  offers(story: Story, browser: Browser): Params[];
  /** @returns false when there is nothing to do it with (in a story that was made shorter). */
  run(story: Story, browser: Browser, params: Params): Promise<boolean>;
  tell(params: Params): string;
};

export const on = tabOf;

export function tabParams(browser: Browser, fits: (tab: Tab) => boolean): Params[] {
  return browser.tabs.filter(fits).map(({ name }) => ({ tab: name }));
}

export const isShown =
  (...steps: string[]) =>
  ({ page }: Tab): boolean =>
    page?.step !== undefined && steps.includes(page.step);

/** Opens the step's page in the tab when another one is there: in turn or out of it. */
export async function interactionForm(
  story: Story,
  browser: Browser,
  tab: Tab,
  step: string,
): Promise<Form | undefined> {
  if (!tab.uid) return undefined;
  return findForm(story, browser, tab, { page: `/interaction/${tab.uid}/${step}` });
}

export type Submission = {
  what: string;
  tab: Tab;
  form: Form;
  typed: Record<string, string>;
  park?: boolean;
  goes?: Post['goes'];
  judge?: Post['judge'];
};

export async function submitStep(
  story: Story,
  browser: Browser,
  { what, tab, form, typed, park = false, goes, judge }: Submission,
  after: (landed: Landed, at: number) => void | Promise<void> = () => undefined,
): Promise<true> {
  const sent: Post = { what, tab, park, goes, judge, sent: filled(form, typed), after };
  await post(story, browser, sent);
  return true;
}

/** The answer sends the browser on, and not back to the page that asks. */
export function leadsOn({ status, headers }: Answer, step: string): boolean {
  return status >= 300 && status < 400 && !String(headers.location).endsWith(`/${step}`);
}
