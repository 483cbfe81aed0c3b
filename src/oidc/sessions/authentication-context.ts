// How strong a sign-in was, as tokens say it (OpenID Connect Core §2, `acr`) and as requests ask for it: as a wish
// (`acr_values`, Core §3.1.2.1) or as a condition (an essential claim, Core §5.5.1.1). What it was is in the record of
// proof.
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { ONE_FACTOR, PHISHING_RESISTANT } from '../../accounts/session.ts';

export const acrValues = [PHISHING_RESISTANT, ONE_FACTOR];

type AcrRequest = { values: string[]; isEssential: boolean };

/** `acr_values` arrives here as well: the engine makes a wished-for claim of it. */
function requestedAcr({ oidc }: KoaContextWithOIDC): AcrRequest {
  const asked = oidc.claims.id_token?.acr;
  const { value, values, essential }: Record<string, unknown> = { ...asked };
  if (values !== undefined && !Array.isArray(values))
    throw new errors.InvalidRequest('claims.id_token.acr.values should be an array');
  const named = [value, ...(values ?? [])].filter((name) => typeof name === 'string');
  return { values: named, isEssential: essential === true && named.length > 0 };
}

/** A passkey is one factor and more. */
function isMet({ values }: AcrRequest, acr: string | undefined): boolean {
  return values.some((value) => value === acr || (value === ONE_FACTOR && acr === PHISHING_RESISTANT));
}

/**
 * Whoever signed in without a passkey is asked once more when the application would like one. `acr_values` is a wish:
 * with `prompt=none`, or when the person has no passkey, the sign-in goes on and the token says how strong it was.
 */
export function strongerSignInCheck(): interactionPolicy.Check {
  return new interactionPolicy.Check(
    'stronger_sign_in',
    'a stronger sign-in was asked for',
    'login_required',
    (ctx) => {
      const { oidc } = ctx;
      const request = requestedAcr(ctx);
      if (request.isEssential || !request.values.some((value) => acrValues.includes(value))) return false;
      return !isMet(request, oidc.acr) && !oidc.result?.login && !oidc.prompts.has('none');
    },
  );
}

/**
 * An essential `acr` is a condition. The engine's own check would ask again without end; here somebody is asked once, and
 * what cannot be had is an error to the application ("OpenID Connect Core Error Code unmet_authentication_requirements").
 */
export function essentialSignInCheck(): interactionPolicy.Check {
  return new interactionPolicy.Check(
    'essential_acr',
    'the required authentication context was not reached',
    'unmet_authentication_requirements',
    (ctx) => {
      const { oidc } = ctx;
      const request = requestedAcr(ctx);
      if (!request.isEssential || isMet(request, oidc.acr)) return false;
      const isPossible = request.values.some((value) => acrValues.includes(value));
      if (!isPossible || oidc.result?.login)
        throw new errors.UnmetAuthenticationRequirements(
          'the required authentication context was not reached',
        );
      // Nobody is signed in: the page comes in any case.
      return oidc.session?.accountId !== undefined;
    },
  );
}
