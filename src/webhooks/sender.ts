// A webhook or logout token on its way: one POST to an endpoint that we must not trust (safe-request.ts), and what its
// owner reads of the answer.
import { webhookStoredResponseCharacters } from '../limits/webhooks.ts';
import { createSafeRequest, type FailureKind, type SenderOptions } from './safe-request.ts';

export type WebhookAnswer = {
  status?: number;
  /** The beginning of what the endpoint said, for the person who looks for the reason. */
  excerpt?: string;
  retryAfter?: string;
  /** Why there is no complete answer. */
  failure?: FailureKind;
  durationMs: number;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

export function createWebhookSender(options: SenderOptions): SendWebhook {
  const send = createSafeRequest(options);
  return async (request) => {
    const startedAt = performance.now();
    const { body, ...answer } = await send({ method: 'POST', ...request });
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...answer, ...(answer.status !== undefined && { excerpt: excerptOf(body) }), durationMs };
  };
}

/** As text that PostgreSQL accepts: it has no NUL. */
function excerptOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '').slice(0, webhookStoredResponseCharacters).toWellFormed();
}
