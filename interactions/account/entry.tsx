// The way into the account page and out of it: the service's own sign-in, never charged.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { ownPages } from '../../src/first-party/clients.ts';
import { finishSignIn } from '../../src/first-party/sign-in.ts';
import { readForm } from '../../src/http/form.ts';
import { ButtonLink } from '../../src/page/button.tsx';
import { goOn } from '../../src/page/going-on.tsx';
import { languageOf } from '../languages.ts';
import { showCard } from './card.tsx';
import { endSession, findOwner, openSession } from './session.ts';
import { accountTexts } from './texts.ts';
import { type AccountTools, accountPath } from './visit.ts';

const own = ownPages.account;
export const SIGN_OUT = '/sign-out';
export const DELETED = '/deleted';

export function serveWayIn(tools: AccountTools, router: Router): void {
  router.get(own.callbackPath, (ctx: Context) => comeBack(tools, ctx));
  router.post(accountPath(SIGN_OUT), (ctx: Context) => signOut(tools, ctx));
  router.get(accountPath('/signed-out'), async (ctx: Context) => {
    const { signedOut } = accountTexts[languageOf(ctx)];
    showCard(ctx, signedOut.heading, signedOut.lead, <SignInAgain label={signedOut.again} />);
  });
  router.get(accountPath(DELETED), async (ctx: Context) => {
    const { deleted } = accountTexts[languageOf(ctx)];
    showCard(ctx, deleted.heading, deleted.lead, <SignInAgain label={deleted.again} />);
  });
}

/** At the end of a chain of redirects that may have begun elsewhere: strict cookies are missing. */
async function comeBack(tools: AccountTools, ctx: Context): Promise<void> {
  const back = await finishSignIn(ctx, tools, { own, redeem: tools.redeem });
  if (typeof back === 'object' && (await openSession(tools, ctx, back))) return goOn(ctx, back.to);
  // A newer tab has replaced this one's cookie. The browser is signed in by now, so beginning again asks nothing.
  if (back === 'elsewhere') return goOn(ctx, own.path);
  ctx.status = 400;
  const { notSignedIn } = accountTexts[languageOf(ctx)];
  const why = typeof back === 'object' ? 'lost' : back;
  showCard(ctx, notSignedIn.heading, notSignedIn[why], <SignInAgain label={notSignedIn.again} />);
}

/** The engine's session ends as well, so that the next person at this browser is asked who they are. */
async function signOut(tools: AccountTools, ctx: Context): Promise<void> {
  tools.formGuard.verify(ctx, ctx.path, await readForm(ctx));
  const owner = await findOwner(tools, ctx);
  if (owner) await endSession(tools, ctx, owner);
  const request = new URLSearchParams({
    client_id: own.clientId,
    post_logout_redirect_uri: `${tools.config.baseUrl}/account/signed-out`,
  });
  ctx.redirect(`/oauth/logout?${request}`);
  ctx.status = 303;
}

function SignInAgain({ label }: { label: string }) {
  return (
    <ButtonLink kind="primary" href={own.path}>
      {label}
    </ButtonLink>
  );
}
