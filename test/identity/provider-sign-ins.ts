// Sign-ins at a provider from the account page, from the button to where the provider sends the browser back.
import { type AccountPerson, goesOnTo } from '../account-page/account-walk.ts';
import type { Page } from '../harness/browserless-browser.ts';
import type { ProviderId, SocialLab } from '../hosted-pages/social-lab.ts';

/** Nothing of ours is opened at the end of it: the address of our callback. */
export async function visitProvider(person: AccountPerson, id: ProviderId): Promise<URL> {
  const page = await person.open('/account/social');
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
  const button = consent.buttons.find(({ value }) => value === 'yes');
  const back = await person.browser.submit(there.page, consent, {}, button);
  if (!('leftTo' in back)) throw new Error('the provider does not send the browser back');
  return new URL(back.leftTo);
}

/** Links whoever sits in front of the provider to the person's account. */
export async function linkProvider(person: AccountPerson, id: ProviderId): Promise<Page> {
  const back = await visitProvider(person, id);
  return person.open(back.pathname + back.search);
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
