// The raw body is what was signed; answer 2xx only after the event is stored, and take each id once.
import { verifyWebhook, WebhookVerificationError } from '@tollgate/webhooks';

/** In memory here: a table with a unique column in your own. */
const events = new Map();

export async function POST(request) {
  try {
    const event = await verifyWebhook(request, process.env.TOLLGATE_WEBHOOK_SECRET);
    if (!events.has(event.id)) events.set(event.id, event);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: 400 });
  }
}
