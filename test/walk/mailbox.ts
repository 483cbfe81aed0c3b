// Mailboxes: only who reads one gets its codes and links. Mail is fetched as soon as the service has put it there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Landed, Tab } from './cast.ts';
import { isSurelyIn, violate } from './model.ts';
import { holds, type Story } from './story.ts';
import { type Mail, readMails } from './world.ts';

const PATIENCE_MILLISECONDS = 1_500;
const COOL_DOWN_MILLISECONDS = 60_000;
const BUDGET = { mails: 5, milliseconds: 3_600_000 };

/** After a request for a code: whoever reads that mailbox has it. */
export async function awaitCode(
  story: Story,
  browser: Browser,
  tab: Tab,
  email: string,
  landed: Landed,
): Promise<void> {
  if (landed.page?.step !== 'code') return;
  const isAgain =
    tab.asked === email && story.world.clock.now() - (tab.askedAt ?? 0) < COOL_DOWN_MILLISECONDS;
  tab.asked = email;
  tab.recovers = false;
  if (isAgain || !holds(browser.operator, story, email)) return;
  tab.askedAt = story.world.clock.now();
  const mail = await newMail(story, email, ({ text }) => CODE.test(text));
  tab.code = mail && codeIn(mail);
}

const CODE = /\b(\d{3})[ \u00a0]?(\d{3})\b/;

export function codeIn({ text }: Mail): string | undefined {
  const found = CODE.exec(text);
  return found ? `${found[1]}${found[2]}` : undefined;
}

export async function newMail(
  story: Story,
  email: string,
  fits: (mail: Mail) => boolean,
): Promise<Mail | undefined> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (performance.now() < deadline) {
    const mails = await readMails(story.world.db, [email]);
    const found = mails.findLast((mail) => !story.readMails.has(mail.id) && fits(mail));
    if (found) {
      for (const { id } of mails) story.readMails.add(id);
      return found;
    }
    await sleep(1);
  }
  return undefined;
}

/** The owner of an address, in a browser that is the owner's, always gets the few codes that everybody may ask for. */
export function countAsk(story: Story, browser: Browser, email: string, { page }: Landed): void {
  const { model } = story;
  const now = story.world.clock.now();
  // An intruder who has not been evicted yet counts as one of the account's browsers.
  const isIn = isSurelyIn(model, browser, email);
  if (page?.status !== 429) {
    model.asks.push({ email, milliseconds: now, browser: browser.name, isIn });
    return;
  }
  if (!isIn || !holds(browser.operator, story, email)) return;
  const own = model.asks.filter(
    (ask) => ask.isIn && ask.email === email && now - ask.milliseconds <= BUDGET.milliseconds,
  );
  if (own.length < BUDGET.mails)
    violate(
      model,
      'no code for the owner',
      `${browser.name} was refused a code after ${own.length} requests of the account's own browsers`,
    );
}
