// The question whether a device may sign in, as a step of the flow (RFC 8628 §5.4): after the sign-in, in the browser and
// session that signed in, for each device, whatever was agreed to before. Beside it, the way to another account.
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check, Prompt } = interactionPolicy;

/** What pages of ours answer. */
const CONFIRMED = 'device';
const OTHER_ACCOUNT = 'other_account';

const DEVICE_ROUTES = ['code_verification', 'device_resume'];

export function deviceConfirmationPrompt(): interactionPolicy.Prompt {
  const prompt = new Prompt({ name: 'device', requestable: false });
  const isPending = ({ oidc }: KoaContextWithOIDC) =>
    DEVICE_ROUTES.includes(oidc.route) && !(oidc.result && CONFIRMED in oidc.result);
  prompt.checks.add(
    new Check('device_confirmation', 'the device was not confirmed', 'interaction_required', isPending),
  );
  return prompt;
}

/** An application's request begins anew for that; a device's goes on with somebody else. */
export function otherAccountCheck(): interactionPolicy.Check {
  const isAsked = ({ oidc }: KoaContextWithOIDC) =>
    oidc.route === 'device_resume' &&
    oidc.result !== undefined &&
    OTHER_ACCOUNT in oidc.result &&
    !oidc.result.login;
  return new Check('other_account', 'another account was asked for', 'login_required', isAsked);
}
