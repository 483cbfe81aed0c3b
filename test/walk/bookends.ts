// How a story begins and ends: the accounts that a theme wants, and what everybody tries in the end.
import type { Params, Step, Story } from './story.ts';
import type { Theme } from './theme.ts';

/** How a theme begins: the same steps as any other, so that a shorter story may do without them. */
export function opening(theme: Theme): Step[] {
  const steps: Step[] = [];
  const add = (who: string, act: string, params: Params = {}) =>
    steps.push({ act, who, with: { tab: 'first', ...params } });
  const laptop = "the victim's laptop";
  const finish = (who: string) => {
    add(who, 'consent');
    add(who, 'exchange');
  };
  if (theme.opening === 'password' || theme.opening === 'code') {
    add(laptop, 'begin', { app: 'shop' });
    if (theme.opening === 'password') add(laptop, 'register', { email: 'victim', password: 'victim-old' });
    else add(laptop, 'ask-code', { email: 'victim' });
    add(laptop, 'type-code');
    if (theme.opening === 'code') add(laptop, 'welcome');
    finish(laptop);
  }
  if (theme.opening === 'false-word') {
    const thief = "the attacker's laptop";
    add(thief, 'begin', { app: 'shop' });
    add(thief, 'to-github');
    add(thief, 'from-github', { identity: 'attacker-hub-false' });
    finish(thief);
  }
  for (const who of theme.signedIn.filter((each) => each !== laptop)) {
    add(who, 'begin', { app: 'shop' });
    if (who.includes('attacker')) add(who, 'password', { password: 'victim-old' });
    else {
      add(who, 'ask-code', { email: 'victim' });
      add(who, 'type-code');
    }
    finish(who);
  }
  return steps;
}

/** In the end everybody tries what they have left. */
export function leftovers(story: Story): Step[] {
  return [...story.browsers.values()].flatMap((browser) => {
    const who = browser.name;
    const steps: Step[] = browser.held.map(() => ({ act: 'release', who, with: {} }));
    for (const tab of browser.tabs) {
      if (tab.parked) steps.push({ act: 'follow-parked', who, with: { tab: tab.name } });
      if (tab.page?.step === 'code' && !tab.code)
        steps.push({ act: 'welcome', who, with: { tab: tab.name } });
      if (tab.page?.step === 'consent') steps.push({ act: 'consent', who, with: { tab: tab.name } });
      if (tab.parked || tab.callback || tab.page?.step === 'consent')
        steps.push({ act: 'exchange', who, with: { tab: tab.name } });
    }
    // Whoever knows an old password tries it, once somebody has set another one.
    if (who === "the attacker's laptop" && story.model.passwords.get(story.addressOf('victim'))?.size)
      for (const password of browser.operator.passwords)
        if (
          story.passwordsTyped.has(password) &&
          !story.model.passwords.get(story.addressOf('victim'))?.has(password)
        )
          steps.push(
            { act: 'begin', who, with: { tab: 'second', app: 'shop', wish: 'prompt=login' } },
            { act: 'password', who, with: { tab: 'second', password } },
            { act: 'consent', who, with: { tab: 'second' } },
            { act: 'exchange', who, with: { tab: 'second' } },
          );
    if (story.tokens.some((each) => each.browser === who)) steps.push({ act: 'refresh', who, with: {} });
    if (browser.proofs.length > 0) steps.push({ act: 'open-account', who, with: { tab: 'third' } });
    return steps;
  });
}
