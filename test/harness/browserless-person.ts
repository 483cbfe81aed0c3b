// A person without a browser: walks the hosted pages by what the forms ask for, reads the code from the
// development inbox, consents, and returns the callback URL that the browser would open next, unfetched.
import { type Browser, type Button, createBrowser, type Form, type Page } from './browserless-browser.ts';
import { until } from './until.ts';

/** Returns the newest code mailed to the address that it has not returned before. */
export type ReadCode = (email: string) => Promise<string>;

export type SignIn = {
  authorizationUrl: string;
  email: string;
  /** Address of the inbox (default: /dev/inbox.json of the issuer), or a function that knows the code. */
  inbox?: string | ReadCode;
  /** Reuse one to be the same browser again: the session cookie then skips the pages that it should. */
  browser?: Browser;
  /** Typed where a page asks for it. */
  name?: string;
  /** Signs in with it, or sets it with `prompt=create`. Without one, codes are used. */
  password?: string;
  consent?: 'allow' | 'deny';
  /** Sees every page on the way, for assertions. */
  onPage?: (page: Page) => void;
};

const mostPages = 12;
const wayBack =
  /\b(cancel|deny|decline|refuse|back|resend|again|different|another|other|change|sign out|log out|forgot|language)\b/i;
const wayOut = /\b(cancel|deny|decline|refuse)\b/i;

/** Signs in or registers, whatever the address needs; throws with the page's text when it gets nowhere. */
export async function signInAs(wanted: SignIn): Promise<string> {
  const { authorizationUrl, browser = createBrowser() } = wanted;
  const inbox = wanted.inbox ?? new URL('/dev/inbox.json', authorizationUrl).href;
  const readCode = typeof inbox === 'function' ? inbox : await inboxReader(inbox, wanted.email);
  let arrival = await browser.open(authorizationUrl);
  for (let pages = 0; pages < mostPages; pages += 1) {
    if ('leftTo' in arrival) return arrival.leftTo;
    const { page } = arrival;
    wanted.onPage?.(page);
    const step = page.status < 400 || page.forms.length > 0 ? chooseForm(page, wanted) : undefined;
    if (step === undefined) throw stuck(page, 'has no form to go on with');
    const typed = await fill(step.form, wanted, readCode);
    arrival = await browser.submit(page, step.form, typed, step.button);
  }
  throw new Error(`still on hosted pages after ${mostPages} of them`);
}

/** Opens a logout address (RP-initiated logout), confirms if asked, and returns where the browser goes then. */
export async function signOutAs(browser: Browser, endSessionUrl: string): Promise<string | Page> {
  const arrival = await browser.open(endSessionUrl);
  if ('leftTo' in arrival) return arrival.leftTo;
  const { page } = arrival;
  const confirms = ({ name, value, label }: Button) =>
    (name === 'logout' && value === 'yes') || /\b(sign|log) out\b/i.test(label);
  const form = page.forms.find(({ buttons }) => buttons.some(confirms));
  if (!form) throw stuck(page, 'has no button that signs out');
  const end = await browser.submit(page, form, {}, form.buttons.find(confirms));
  return 'leftTo' in end ? end.leftTo : end.page;
}

/** What the person would press: the most specific form of the page, and its button that leads on. */
export function chooseForm(
  page: Page,
  { password, consent = 'allow' }: Pick<SignIn, 'password' | 'consent'>,
): { form: Form; button: Button | undefined } | undefined {
  const score = (form: Form) => {
    if (form.fields.some(isCode)) return 5;
    if (form.fields.some(isPassword)) return password === undefined ? 2 : 4;
    if (form.fields.some(isEmail)) return 3;
    if (form.fields.some((field) => field.type === 'text')) return 2;
    return form.buttons.some(leadsOn) ? 1 : 0;
  };
  const [form] = page.forms.toSorted((a, b) => score(b) - score(a));
  if (form === undefined || score(form) === 0) return undefined;
  const refusal = page.forms.find(({ buttons }) => buttons.some(leadsOut));
  if (consent === 'deny' && refusal && score(form) === 1) {
    return { form: refusal, button: refusal.buttons.find(leadsOut) };
  }
  const way = password === undefined ? 'code' : 'password';
  const buttons = form.buttons.filter(leadsOn);
  return { form, button: buttons.find(({ value }) => value === way) ?? buttons[0] ?? form.buttons[0] };
}

const isCode = (field: { autocomplete: string; name: string }) =>
  field.autocomplete.includes('one-time-code') || field.name === 'code';
const isPassword = (field: { type: string }) => field.type === 'password';
const isEmail = (field: { type: string; name: string }) => field.type === 'email' || field.name === 'email';
const words = ({ name, value, label }: Button) => `${name} ${value} ${label}`;
const leadsOn = (button: Button) => !wayBack.test(words(button));
const leadsOut = (button: Button) => wayOut.test(words(button));

async function fill(form: Form, wanted: SignIn, readCode: ReadCode): Promise<Record<string, string>> {
  const typed: Record<string, string> = {};
  for (const field of form.fields.filter(({ type }) => type !== 'hidden')) {
    if (isCode(field)) typed[field.name] = await readCode(wanted.email);
    else if (isEmail(field)) typed[field.name] = wanted.email;
    else if (isPassword(field)) typed[field.name] = wanted.password ?? '';
    else if (field.type === 'text' && field.value === '') typed[field.name] = wanted.name ?? 'Ada Lovelace';
  }
  return typed;
}

type DevelopmentMail = { id: string; text: string };

/** Mails that were there before count as read: an old code never answers a new question. */
export async function inboxReader(inboxUrl: string, email: string): Promise<ReadCode> {
  const read = new Set((await mailsTo(inboxUrl, email)).map(({ id }) => id));
  return async (recipient) => {
    const newCode = async () => {
      for (const { id, text } of await mailsTo(inboxUrl, recipient)) {
        const code = /\b(\d{3})[ \u00a0]?(\d{3})\b/.exec(text);
        if (read.has(id) || code === null) continue;
        read.add(id);
        return `${code[1]}${code[2]}`;
      }
      return undefined;
    };
    return until(`a new code arrives for ${recipient}`, newCode, { everyMilliseconds: 50 });
  };
}

/** Newest first. */
export async function mailsTo(inboxUrl: string, email: string): Promise<DevelopmentMail[]> {
  const url = new URL(inboxUrl);
  url.searchParams.set('to', email);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the inbox answered ${response.status}`);
  const body: unknown = await response.json();
  const list = Array.isArray(body) ? body : Object.values(body ?? {}).find(Array.isArray);
  if (list === undefined) throw new Error('the inbox answered no list of mails');
  return list.map((mail) => ({ id: String(mail.id), text: String(mail.text) }));
}

function stuck(page: Page, why: string): Error {
  const text = page.html
    .replace(/<(style|script|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return new Error(`${page.status} ${page.url} ${why}: ${text.trim().slice(0, 500)}`);
}
