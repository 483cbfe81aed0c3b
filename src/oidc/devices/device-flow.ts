// Signing in on a device by a code that is typed elsewhere (RFC 8628; docs/decisions/1208): what the engine is told of it, and
// for whom it is on. The person confirms on a page of the flow (device-confirmation.ts), after the sign-in.
import type Provider from 'oidc-provider';
import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { devicePollSeconds, userCodeCharset, userCodeMask } from '../../limits/devices.ts';
import { isFapi2 } from '../clients/client.ts';
import type { ErrorPage } from '../errors/engine-errors.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Why the page for the code is shown again. */
export type DeviceProblem = 'unknown' | 'over' | 'used' | 'empty' | 'page_expired';

export type DevicePages = {
  /** `formHtml` is the engine's form; `user_code` may be typed already, by a link with the code in it. */
  deviceCode(ctx: KoaContextWithOIDC, formHtml: string, typed: string | undefined): Promise<void>;
  /** The person said no; the device hears of it. */
  deviceRefused(ctx: KoaContextWithOIDC): Promise<void>;
  deviceConnected(ctx: KoaContextWithOIDC): Promise<void>;
};

type DeviceFeature = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

export function deviceFeature(pages: DevicePages & { error: ErrorPage }): DeviceFeature {
  return {
    enabled: true,
    charset: userCodeCharset,
    mask: userCodeMask,
    // Nobody is shown it, so nobody has to keep it.
    deviceInfo: () => ({}),
    async userCodeInputSource(ctx, formHtml, out, error) {
      if (out && error) return answerFailure(pages, ctx, out, error);
      const { userCode } = ctx.state;
      await pages.deviceCode(ctx, formHtml, typeof userCode === 'string' ? userCode : undefined);
    },
    // Asked for by whoever leaves `confirm` out of our form: the real question comes after the sign-in.
    userCodeConfirmSource: (ctx, formHtml) => pages.deviceCode(ctx, formHtml, undefined),
    successSource: (ctx) => pages.deviceConnected(ctx),
  };
}

const problems: Record<string, DeviceProblem> = {
  NotFoundError: 'unknown',
  ExpiredError: 'over',
  AlreadyUsedError: 'used',
  NoCodeError: 'empty',
};

/**
 * The engine has made a token for one more form on this answer, and would save it in a session that may never have been
 * saved, which fails. There is no form on it: the page for the code is opened anew.
 */
async function answerFailure(
  pages: DevicePages & { error: ErrorPage },
  ctx: KoaContextWithOIDC,
  out: ErrorOut,
  error: Error,
): Promise<void> {
  Object.assign(ctx.oidc.session ?? {}, { touched: false });
  if (error.name === 'AbortedError') return pages.deviceRefused(ctx);
  const isFormOver = ctx.oidc.route === 'code_verification' && error.name === 'InvalidRequest';
  const problem = isFormOver ? 'page_expired' : problems[error.name];
  if (problem === undefined) return pages.error(ctx, errorOf(ctx, out, error));
  ctx.status = 303;
  ctx.redirect(`/device?problem=${problem}`);
}

function errorOf(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): Parameters<ErrorPage>[1] {
  return {
    error: out.error,
    description: out.error_description ?? 'The request was refused.',
    requestId: ctx.state.requestId ?? '',
    traceId: undefined,
    reason: error.name === 'SessionNotFound' ? 'page_expired' : 'refused',
  };
}

/**
 * Off unless an owner has chosen it. The engine lets nobody name this grant in an application's metadata whose `sub` is
 * pairwise and whose secret is not a key: so the question itself is ours (test/standards/rfc8628-device.test.ts notices if
 * a release stops asking it).
 */
export function allowChosenDevices(provider: Provider): void {
  const { prototype } = provider.Client;
  const { grantTypeAllowed } = prototype;
  prototype.grantTypeAllowed = function grantTypeAllowedHere(type: string): boolean {
    if (type !== DEVICE_GRANT) return grantTypeAllowed.call(this, type);
    // FAPI 2.0 Security Profile §5.3.2.2: nothing but what binds the answer to the browser that asked.
    return this.allowsDevices === true && !isFapi2(this);
  };
}

/** RFC 8628 §3.2: OPTIONAL, and better said than guessed. */
export function sayHowOftenToPoll(provider: Provider): void {
  provider.on('device_authorization.success', (_ctx: KoaContextWithOIDC, answer: Record<string, unknown>) => {
    answer.interval = devicePollSeconds;
  });
}
