// Tells the company of devices that ask for a code, and why one got none.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { RecordStep } from '../../traces/step-record.ts';
import { engineContext, errorOf, traceOfRequest } from '../engine/engine-context.ts';
import { reasonOfRequestRefusal } from '../errors/refusal-reason.ts';

export function traceDeviceRequests({
  provider,
  recordStep,
}: {
  provider: Provider;
  recordStep: RecordStep;
}): Middleware {
  provider.on('device_authorization.success', (ctx: KoaContextWithOIDC) => {
    const clientId = ctx.oidc.client?.clientId;
    if (clientId)
      recordStep({ clientId, traceId: traceOfRequest(ctx, clientId), step: 'device_code_issued' });
  });
  return async (ctx, next) => {
    await next();
    traceRefusal(ctx, recordStep);
  };
}

/** Of a client that has said who it is; nobody fills another company's list. */
function traceRefusal(ctx: Context, recordStep: RecordStep): void {
  const refusal = errorOf(ctx);
  const clientId = engineContext(ctx)?.client?.clientId;
  const reason = refusal && clientId ? reasonOfRequestRefusal(refusal) : undefined;
  if (!reason || !clientId) return;
  const detail = reason === 'request_malformed' ? refusal?.error_description : undefined;
  recordStep({ clientId, traceId: traceOfRequest(ctx, clientId), step: 'request_refused', reason, detail });
}
