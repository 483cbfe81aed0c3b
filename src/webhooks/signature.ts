// The signature of a webhook (promise 36): `v1=` and the hex HMAC-SHA256 of `<timestamp>.<raw_body>`. Made afresh for
// every attempt, because a receiver refuses a timestamp that is more than 300 seconds old.
import { createHmac } from 'node:crypto';

export type SigningSecrets = {
  current: string;
  /** During a rotation: the one that takes over. Its signature travels in a header of its own, because receivers
   * compare the whole of the first header. */
  next?: string | undefined;
};

export function webhookHeaders(options: {
  eventId: string;
  body: string;
  secrets: SigningSecrets;
  now: Date;
}): Record<string, string> {
  const { eventId, body, secrets } = options;
  const timestamp = String(Math.floor(options.now.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Tollgate-Webhooks/1',
    'x-service-webhook-id': eventId,
    'x-service-webhook-timestamp': timestamp,
    'x-service-webhook-signature': signature(secrets.current, timestamp, body),
    ...(secrets.next && { 'x-service-webhook-signature-next': signature(secrets.next, timestamp, body) }),
  };
}

/** The key is the secret as it was shown, prefix included, so that one line of openssl can check it. */
function signature(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex')}`;
}
