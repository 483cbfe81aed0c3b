// Sign-ins at a provider from the account page, from the button to where the provider sends the browser back.
import { type AccountPerson, goesOnTo } from '../account-page/account-walk.ts';
import type { Page } from '../harness/browserless-browser.ts';
import type { ProviderId, SocialLab } from '../hosted-pages/social-lab.ts';

/** From the button to where the provider sends the browser back; nothing of ours is opened there yet. */
export async function visitProvider(
  person: AccountPerson,
  id: ProviderId,
  { answer = 'yes', shown }: { answer?: string; shown?: Page } = {},
): Promise<URL> {
  const page = shown ?? (await person.open('/account/social'));
  const form = page.forms.find(
    ({ action, fields }) =>
      action.endsWith('/account/social/link') && fields.some(({ value }) => value === id),
  );
  if (!form) throw new Error(`no button for ${id}: ${page.html}`);
  const away = await person.browser.submit(page, form);
  const to = 'page' in away ? goesOnTo(away.page) : undefined;
  if (!to) throw new Error('nothing leads to the provider');
  const there = await person.browser.open(to);
  if (!('page' in there)) throw new Error('the provider has no page');
  const [consent] = there.page.forms;
  if (!consent) throw new Error('no form at the provider');
  const button = consent.buttons.find(({ value }) => value === answer);
  const back = await person.browser.submit(there.page, consent, {}, button);
  if ('leftTo' in back) return new URL(back.leftTo);
  // Apple: a form that posts itself; as a GET the callback takes the same fields.
  const [post] = back.page.forms;
  if (!post) throw new Error('nothing to post back');
  const query = new URLSearchParams(post.fields.map(({ name, value }) => [name, value]));
  return new URL(`${post.action}?${query}`);
}

/** Links whoever sits in front of the provider to the person's account. */
export async function linkProvider(...visit: Parameters<typeof visitProvider>): Promise<Page> {
  const back = await visitProvider(...visit);
  return visit[0].open(back.pathname + back.search);
}

/** GitHub says who it is only when the test lets it; until then our service waits for it. */
export function holdGitHub({ github }: Pick<SocialLab, 'github'>): {
  isAsked: Promise<void>;
  answer(): void;
} {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  github.instead = ({ url }, response) => {
    if (url !== '/user/emails') return false;
    asked.resolve();
    void released.promise.then(() => {
      response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(github.emails));
    });
    return true;
  };
  return { isAsked: asked.promise, answer: released.resolve };
}
