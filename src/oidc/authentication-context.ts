// How strong a sign-in was, as tokens say it (OpenID Connect Core §2, `acr`) and as requests ask for it (`acr_values`,
// §3.1.2.1). There is one level above the usual: phishing-resistant, which is a passkey. Its name comes from the OpenID
// Connect Extended Authentication Profile.
import { interactionPolicy } from 'oidc-provider';
import { parameter } from './engine-context.ts';

export const acrValues = ['phr'];

/**
 * Whoever signed in without a passkey is asked once more when the application would like one. `acr_values` is a wish:
 * with `prompt=none`, or when the person has no passkey, the sign-in goes on and the token says how strong it was.
 */
export function strongerSignInCheck(): interactionPolicy.Check {
  return new interactionPolicy.Check(
    'stronger_sign_in',
    'a phishing-resistant sign-in was asked for',
    'login_required',
    ({ oidc }) => {
      const wanted = (parameter(oidc, 'acr_values') ?? '').split(' ');
      if (!wanted.some((value) => acrValues.includes(value))) return false;
      return !acrValues.includes(oidc.acr ?? '') && !oidc.result?.login && !oidc.prompts.has('none');
    },
  );
}
