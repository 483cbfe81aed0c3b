// Sign-in to the account page and out of it, through the service's own sign-in.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { receiveSignIn, redirectToLogout } from '../../src/first-party/gate.ts';
import { readForm } from '../../src/http/form.ts';
import { seeOther } from '../../src/http/redirect.ts';
import { ButtonLink } from '../../src/page/button.tsx';
import { languageOf } from '../languages.ts';
import { showCard } from './card.tsx';
import { accountTexts } from './texts.ts';
import { type AccountDependencies, accountPath } from './visit.ts';

const client = firstPartyClients.account;
const SIGNED_OUT = '/signed-out';
export const SIGN_OUT = '/sign-out';
export const DELETED = '/deleted';

export function serveSignIn(deps: AccountDependencies, router: Router): void {
  router.get(client.callbackPath, (ctx: Context) => comeBack(deps, ctx));
  router.post(accountPath(SIGN_OUT), (ctx: Context) => signOut(deps, ctx));
  router.get(accountPath(SIGNED_OUT), async (ctx: Context) => {
    const { signedOut } = accountTexts[languageOf(ctx)];
    showCard(ctx, signedOut.heading, signedOut.lead, <SignInAgain label={signedOut.again} />);
  });
  router.get(accountPath(DELETED), async (ctx: Context) => {
    const { deleted } = accountTexts[languageOf(ctx)];
    showCard(ctx, deleted.heading, deleted.lead, <SignInAgain label={deleted.again} />);
  });
}

async function comeBack(deps: AccountDependencies, ctx: Context): Promise<void> {
  const failure = await receiveSignIn(ctx, deps, { client, redeem: deps.redeem });
  if (!failure) return;
  // Whoever only changed their mind about confirming is as signed in as before.
  if (failure === 'cancelled' && (await deps.sessions.find(ctx))) return seeOther(ctx, client.path);
  ctx.status = 400;
  const { notSignedIn } = accountTexts[languageOf(ctx)];
  showCard(ctx, notSignedIn.heading, notSignedIn[failure], <SignInAgain label={notSignedIn.again} />);
}

async function signOut(deps: AccountDependencies, ctx: Context): Promise<void> {
  deps.formGuard.verify(ctx, ctx.path, await readForm(ctx));
  const owner = await deps.sessions.find(ctx);
  if (owner) await deps.sessions.end(ctx, owner);
  redirectToLogout(ctx, deps, { client, returnPath: accountPath(SIGNED_OUT) });
}

function SignInAgain({ label }: { label: string }) {
  return (
    <ButtonLink kind="primary" href={client.path}>
      {label}
    </ButtonLink>
  );
}
