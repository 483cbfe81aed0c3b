// When a person is shown a page between the request and the callback: registration (`prompt=create`), sign-in and
// consent, in this order. The pages themselves are behind another door.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check, Prompt, base } = interactionPolicy;

export function pagesBeforeCallback(): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(createPrompt(), 0);
  policy.get('login')?.checks.add(accountGoneCheck());
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

/** A session may outlive its account. Without this check the engine goes on with nobody, and fails. */
function accountGoneCheck(): interactionPolicy.Check {
  const isGone = ({ oidc }: KoaContextWithOIDC) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined;
  return new Check('account_gone', 'the account no longer exists', 'login_required', isGone);
}
