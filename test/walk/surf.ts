// How a browser of the walker moves: requests with its cookies, redirects followed until a page, another site, or a
// redirect that shall wait; and what every page tells about who is signed in.
import { type Form, readForms, unescapeHtml } from '../harness/browserless-browser.ts';
import type { Browser, Landed, Post, Tab } from './cast.ts';
import { inspectAnswer } from './inspect.ts';
import { cookieHeader, keepCookies } from './jar.ts';
import { tick } from './model.ts';
import { compareCode } from './pushed-codes.ts';
import type { Story } from './story.ts';
import type { Answer, Sent } from './wire.ts';

export type Page = { url: string; path: string; status: number; html: string; uid?: string; step?: string };

const MOST_REDIRECTS = 20;
const RESUME = /^\/(?:oauth\/authorize|device)\/([\w-]+)$/;

export async function open(
  story: Story,
  browser: Browser,
  tab: Tab,
  url: string,
  park = false,
): Promise<Landed> {
  const sent: Sent = { method: 'GET', url: new URL(url, story.world.url).href, headers: {} };
  return land(story, browser, tab, { sent, answer: await request(story, browser, sent), park });
}

export async function post(story: Story, browser: Browser, post: Post): Promise<Landed | 'held'> {
  browser.posts.push(post);
  if (browser.holdsNext) {
    browser.holdsNext = false;
    const held = await story.world.wire.holdBack(dress(story, browser, post.sent));
    const release = async () => {
      post.goes?.();
      return finish(story, browser, post, await held.release());
    };
    browser.held.push({ what: post.what, release: async () => void (await release()) });
    return 'held';
  }
  return send(story, browser, post);
}

/** Also for a form that was sent before. */
export async function send(story: Story, browser: Browser, post: Post): Promise<Landed> {
  const at = tick(story.model);
  post.goes?.();
  return finish(story, browser, post, await request(story, browser, post.sent), at);
}

async function finish(story: Story, browser: Browser, post: Post, answer: Answer, at = tick(story.model)) {
  keepCookies(browser.jar, answer.headers['set-cookie'] ?? [], story.world.clock.now());
  post.judge?.(answer, at);
  const landed = await land(story, browser, post.tab, { ...post, answer });
  await post.after(landed, at);
  return landed;
}

async function request(story: Story, browser: Browser, sent: Sent): Promise<Answer> {
  const answer = await story.world.wire.send(dress(story, browser, sent));
  keepCookies(browser.jar, answer.headers['set-cookie'] ?? [], story.world.clock.now());
  return answer;
}

/** As a browser sends it that stays within the site. */
function dress(story: Story, browser: Browser, sent: Sent): Sent {
  const { pathname, origin } = new URL(sent.url);
  const posts = sent.method === 'POST' && { origin, 'content-type': 'application/x-www-form-urlencoded' };
  return {
    ...sent,
    headers: {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Firefox/1.0 ${browser.name}`,
      ...posts,
      cookie: cookieHeader(browser.jar, pathname, story.world.clock.now()),
    },
  };
}

type Arriving = { sent: Sent; answer: Answer; park: boolean };

async function land(
  story: Story,
  browser: Browser,
  tab: Tab,
  { sent, answer, park }: Arriving,
): Promise<Landed> {
  let url = sent.url;
  let current = answer;
  for (let hop = 0; hop < MOST_REDIRECTS; hop += 1) {
    const page = pageOf(url, current);
    const to = inspectAnswer(story, browser, page) ?? current.headers.location;
    if (to === undefined) return show(tab, page);
    const next = new URL(to, url);
    if (next.origin !== story.world.url) return leave(story, tab, next);
    const [, resumed] = RESUME.exec(next.pathname) ?? [];
    if (resumed && park) {
      tab.parked = next.href;
      return { parked: next.href };
    }
    if (resumed) markResumed(story, browser, resumed);
    url = next.href;
    current = await request(story, browser, { method: 'GET', url, headers: {} });
  }
  throw new Error(`more than ${MOST_REDIRECTS} redirects, the last one to ${url}`);
}

export function markResumed(story: Story, browser: Browser, uid: string): void {
  for (const proof of browser.proofs) if (proof.uid === uid) proof.resumedAt = story.model.ticks;
}

function leave(story: Story, tab: Tab, to: URL): Landed {
  tab.page = undefined;
  compareCode(story, to);
  if (to.origin === story.world.github.url) tab.away = to.href;
  else if (to.searchParams.has('code')) tab.callback = to.href;
  return { leftTo: to.href };
}

function show(tab: Tab, page: Page): Landed {
  tab.page = page;
  if (page.uid) {
    if (tab.uid !== page.uid) Object.assign(tab, { asked: undefined, code: undefined });
    tab.uid = page.uid;
  }
  return { page };
}

function pageOf(url: string, { status, html }: Answer): Page {
  const path = new URL(url).pathname;
  const [, uid, step] = /^\/interaction\/([\w-]+)\/([a-z-]+)$/.exec(path) ?? [];
  return { url, path, status, html, ...(uid && step && { uid, step }) };
}

export function formsOf(page: Page | undefined): Form[] {
  return page ? readForms(page.html, page.url) : [];
}

/** The form of a page that posts to `path`; the page is opened when the tab shows another one. */
export async function findForm(
  story: Story,
  browser: Browser,
  tab: Tab,
  { page, action = page, like }: Wanted,
) {
  const shown =
    tab.page?.path === page && !like?.reload ? tab.page : (await open(story, browser, tab, page)).page;
  return formsOf(shown).find(
    (form) =>
      new URL(form.action).pathname === action &&
      (!like?.field || form.fields.some(({ name }) => name === like.field)),
  );
}

type Wanted = { page: string; action?: string; like?: { field?: string; reload?: boolean } };

/** A form with its own values and what was typed over them. */
export function filled(form: Form, typed: Record<string, string>): Sent {
  const values = new URLSearchParams(form.fields.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(typed)) values.set(name, value);
  return { method: 'POST', url: form.action, headers: {}, body: values.toString() };
}

/** What the page's script would hand to the browser's authenticator. */
export function passkeyOptions(page: Page | undefined, purpose: 'get' | 'create'): unknown {
  const tag = [...(page?.html.matchAll(/<form\b[^>]*data-passkey="(\w+)"[^>]*>/g) ?? [])].find(
    ([, found]) => found === purpose,
  );
  const [, options] = /data-options="([^"]*)"/.exec(tag?.[0] ?? '') ?? [];
  return options === undefined ? undefined : JSON.parse(unescapeHtml(options));
}
