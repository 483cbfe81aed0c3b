// Verifies a webhook of Tollgate with Web Crypto alone, so that the same file runs in Node.js, Bun, Deno and edge
// runtimes. The rules are those of docs/webhooks.md: HMAC-SHA256 over `<timestamp>.<raw body>`, 300 seconds of patience.
import type { WebhookEvent } from './types.ts';

export type {
  ApiError,
  Customer,
  CustomerPage,
  LoginCompleted,
  RegistrationCompleted,
  UsageEvent,
  UsageEventPage,
  WebhookEvent,
} from './types.ts';

/** A `Request` of the Fetch standard, or what your framework has instead: headers, and the body as it came. */
export type ReceivedWebhook = WebRequest | { headers: WebhookHeaders; body: string | Uint8Array };
export type WebhookHeaders = { get(name: string): string | null } | Record<string, unknown>;
/** What is used of a `Request`; any `Request` is one. */
export type WebRequest = {
  headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
};

export type VerifyOptions = {
  /** Seconds that the timestamp may be away from your clock. */
  toleranceSeconds?: number;
  now?: () => Date;
};

export type WebhookProblem =
  | 'no_secret'
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_out_of_range'
  | 'body_too_large'
  | 'signature_mismatch'
  | 'body_malformed';

/** Answer 400 to it. `code` is for programs, the message for your log; neither holds a secret. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookProblem;
  constructor(code: WebhookProblem) {
    super(explanations[code]);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

const explanations: Record<WebhookProblem, string> = {
  no_secret: 'There is no signing secret to verify with: is the variable set?',
  header_missing:
    'x-service-webhook-timestamp or x-service-webhook-signature is missing: this is no webhook of Tollgate.',
  timestamp_malformed: 'x-service-webhook-timestamp is no number of seconds.',
  timestamp_out_of_range:
    'The timestamp is too far from your clock: an old request, or a clock that is wrong.',
  body_too_large: 'The body is larger than any webhook of Tollgate.',
  signature_mismatch:
    'The signature does not fit: another secret, or a body that was changed after it was received. Pass the raw bytes.',
  body_malformed: 'The body is no JSON object.',
};

/** A receiver refuses what is further from its clock than this. */
const TOLERANCE_SECONDS = 300;
/** Of a body; a webhook has some 500 bytes. */
const MOST_BYTES = 256 * 1024;

/**
 * The event, once it is certain that Tollgate sent it, and sent it now.
 * `secrets`: the signing secret as it was shown, `whsec_` included. While you change it, the old one, the new one, or both.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  received: ReceivedWebhook,
  secrets: string | undefined | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = [secrets ?? []].flat().filter((secret) => secret !== '');
  if (keys.length === 0) throw new WebhookVerificationError('no_secret');
  const timestamp = headerOf(received.headers, 'x-service-webhook-timestamp');
  const signature = headerOf(received.headers, 'x-service-webhook-signature');
  if (!timestamp || !signature) throw new WebhookVerificationError('header_missing');
  requireFresh(timestamp, options);
  const body = await bodyOf(received);
  // While the secret changes, a second header is made with the new one, over the same bytes.
  const next = headerOf(received.headers, 'x-service-webhook-signature-next');
  const signatures = next ? [signature, next] : [signature];
  if (!(await isSigned({ timestamp, body, keys, signatures })))
    throw new WebhookVerificationError('signature_mismatch');
  return parse(body);
}

function requireFresh(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('timestamp_malformed');
  const seconds = (now?.() ?? new Date()).getTime() / 1000;
  if (!(Math.abs(seconds - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('timestamp_out_of_range');
}

/** Frameworks keep headers in a `Headers`, or in an object whose names are in lower case or not. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

function hasGet(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

async function bodyOf(received: ReceivedWebhook): Promise<Uint8Array<ArrayBuffer>> {
  const body = await bytesOf(received);
  if (body.length > MOST_BYTES) throw new WebhookVerificationError('body_too_large');
  return body;
}

async function bytesOf(received: ReceivedWebhook): Promise<Uint8Array<ArrayBuffer>> {
  // A Request has a `body` as well: a stream, which only the platform can read.
  if ('arrayBuffer' in received) {
    const announced = Number(received.headers.get('content-length') ?? 0);
    if (announced > MOST_BYTES) throw new WebhookVerificationError('body_too_large');
    return new Uint8Array(await received.arrayBuffer());
  }
  const { body } = received;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError(
    'verifyWebhook needs the raw body, as text or bytes: a parsed one can no longer be verified',
  );
}

type Signed = {
  timestamp: string;
  body: Uint8Array<ArrayBuffer>;
  keys: readonly string[];
  signatures: readonly string[];
};

async function isSigned({ timestamp, body, keys, signatures }: Signed): Promise<boolean> {
  const encoder = new TextEncoder();
  const prefix = encoder.encode(`${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  for (const secret of keys) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
    for (const signature of signatures) {
      const digest = digestOf(signature);
      // The platform's own comparison takes the same time wherever two digests differ.
      if (digest && (await crypto.subtle.verify('HMAC', key, digest, content))) return true;
    }
  }
  return false;
}

function digestOf(signature: string): Uint8Array<ArrayBuffer> | undefined {
  const [, hex] = /^v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (hex === undefined) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

function parse(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body));
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Signed, and still no JSON: said below.
  }
  throw new WebhookVerificationError('body_malformed');
}
