// `prompt=select_account` (OpenID Connect Core §3.1.2.1): whoever is signed in says whether to go on as that person. Where
// nobody is, the sign-in page is the choice.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check, Prompt } = interactionPolicy;

/** What a page of ours answers to it. */
const RESULT = 'select_account';

export function accountChoicePrompt(): interactionPolicy.Prompt {
  const prompt = new Prompt({ name: 'select_account', requestable: true });
  // The check that comes with it would ask people who have just signed in.
  prompt.checks.remove('select_account_prompt');
  const isPending = ({ oidc }: KoaContextWithOIDC) =>
    oidc.prompts.has('select_account') &&
    oidc.session?.accountId !== undefined &&
    !oidc.result?.login &&
    !(oidc.result && RESULT in oidc.result);
  prompt.checks.add(
    new Check(
      'select_account_prompt',
      'the choice of an account was requested',
      'account_selection_required',
      isPending,
    ),
  );
  return prompt;
}
