// When a person is shown a page between the request and the callback: registration (`prompt=create`), the
// choice of an account, sign-in and consent, in this order. The pages themselves are behind another door.
import { decodeJwt } from 'jose';
import { type Client, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { deviceConfirmationPrompt, otherAccountCheck } from '../devices/device-confirmation.ts';
import { clientOf, parameter } from '../engine/engine-context.ts';
import { accountChoicePrompt } from './account-choice.ts';
import { essentialSignInCheck, strongerSignInCheck } from './authentication-context.ts';

const { Check, Prompt, base } = interactionPolicy;

type PairwiseIdentifier = (ctx: KoaContextWithOIDC, accountId: string, client: Client) => string;

export function pagesBeforeCallback(subOf: PairwiseIdentifier): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(createPrompt(), 0);
  policy.add(accountChoicePrompt(), 1);
  // After the sign-in, before consent, which it asks for as well.
  policy.add(deviceConfirmationPrompt(), 3);
  const checks = policy.get('login')?.checks;
  checks?.remove('essential_acrs');
  checks?.remove('essential_acr');
  checks?.add(essentialSignInCheck());
  checks?.add(accountGoneCheck());
  checks?.add(otherAccountCheck());
  checks?.add(strongerSignInCheck());
  checks?.add(somebodyElseCheck(subOf));
  return policy;
}

/** "Initiating User Registration via OpenID Connect 1.0". Whoever registered or signed in instead has answered it. */
function createPrompt(): interactionPolicy.Prompt {
  const prompt = new Prompt({ name: 'create', requestable: true });
  // The check that comes with it would go on asking until a result named `create` appears.
  prompt.checks.remove('create_prompt');
  const isPending = ({ oidc }: KoaContextWithOIDC) => oidc.prompts.has('create') && !oidc.result?.login;
  prompt.checks.add(
    new Check('create_prompt', 'registration was requested', 'interaction_required', isPending),
  );
  return prompt;
}

/**
 * The application expects somebody in particular. When another person has signed in on the pages it is told so by
 * login_required, not given that person (OpenID Connect Core §3.1.2.1, id_token_hint; §5.5.1, a value of `sub`).
 */
function somebodyElseCheck(subOf: PairwiseIdentifier): interactionPolicy.Check {
  const isSomebodyElse = (ctx: KoaContextWithOIDC): boolean => {
    const hint = parameter(ctx.oidc, 'id_token_hint');
    const signedIn = ctx.oidc.result?.login?.accountId;
    const named = ctx.oidc.claims.id_token?.sub?.value;
    if ((!hint && named === undefined) || !signedIn) return false;
    const sub = subOf(ctx, signedIn, clientOf(ctx.oidc));
    // The engine verified it before the pages, and does not look at it again after them.
    const isHinted = !hint || decodeJwt(hint).sub === sub;
    if (!isHinted || (named !== undefined && named !== sub))
      throw new errors.LoginRequired('somebody else signed in');
    return false;
  };
  return new Check('somebody_else', 'somebody else signed in', 'login_required', isSomebodyElse);
}

/** A session may outlive its account. Without this check the engine goes on with nobody, and fails. */
function accountGoneCheck(): interactionPolicy.Check {
  const isGone = ({ oidc }: KoaContextWithOIDC) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined;
  return new Check('account_gone', 'the account no longer exists', 'login_required', isGone);
}
