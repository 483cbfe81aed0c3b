// A stand-in for Stripe that speaks its wire format (docs.stripe.com/api): form-encoded requests, JSON answers, its
// errors, idempotency, API version, signed webhooks, and a small page to pay at. Tollgate talks to it through Stripe's
// own library, so what passes here is what the library sends and accepts.
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CheckoutError, createCheckoutSession, type Params, type Session } from './stripe-session.ts';

export const STRIPE_KEY = 'sk_test_standin51abcdefghijklmnop';
export const STRIPE_WEBHOOK_SECRET = 'whsec_standin0123456789abcdef';

type Sent = { event: { id: string; type: string }; body: string; status: number; answer: string };

export type StripeStandIn = {
  url: string;
  /** STRIPE_… of a service that uses it. */
  environment: Record<string, string>;
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  sessions: Map<string, Session>;
  /** Every webhook, with the answer that it got. */
  sent: Sent[];
  /** Where webhooks go. */
  endpoint: string | undefined;
  /** Webhooks are lost. */
  loses: boolean;
  /** The API answers 500 to everything. */
  fails: boolean;
  /** Somebody pays at once, by a transfer that takes days, or not at all. */
  pay(id: string, how?: 'at_once' | 'later'): Promise<void>;
  /** The transfer of `pay(id, 'later')` arrives or bounces. */
  settle(id: string, arrived: boolean): Promise<void>;
  expire(id: string): Promise<void>;
  /** Minor units, on top of what was returned before. */
  refund(id: string, amount: number): Promise<void>;
  /** Any event, signed as wished. @returns the answer's status. */
  deliver(
    type: string,
    object: object,
    options?: { secret?: string; at?: Date; body?: string },
  ): Promise<Sent>;
  /** A webhook once more, signed anew. */
  repeat(sent: Sent): Promise<Sent>;
  close(): Promise<void>;
};

export async function startStripe(): Promise<StripeStandIn> {
  const replies = new Map<string, { params: string; status: number; body: string }>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const stripe: StripeStandIn = {
    url,
    environment: { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL: url },
    requests: [],
    sessions: new Map(),
    sent: [],
    endpoint: undefined,
    loses: false,
    fails: false,
    async pay(id, how = 'at_once') {
      const session = open(id);
      session.status = 'complete';
      session.payment_intent = `pi_${randomBytes(12).toString('hex')}`;
      session.intentStatus = how === 'at_once' ? 'succeeded' : 'processing';
      if (how === 'at_once') session.payment_status = 'paid';
      await stripe.deliver('checkout.session.completed', shown(session));
    },
    async settle(id, arrived) {
      const session = known(id);
      if (arrived) session.payment_status = 'paid';
      session.intentStatus = arrived ? 'succeeded' : 'requires_payment_method';
      const outcome = arrived ? 'succeeded' : 'failed';
      await stripe.deliver(`checkout.session.async_payment_${outcome}`, shown(session));
    },
    async expire(id) {
      const session = open(id);
      session.status = 'expired';
      await stripe.deliver('checkout.session.expired', shown(session));
    },
    async refund(id, amount) {
      const session = known(id);
      session.refunded += amount;
      await stripe.deliver('charge.refunded', chargeOf(session));
    },
    async deliver(type, object, { secret = STRIPE_WEBHOOK_SECRET, at = new Date(), body } = {}) {
      const event = {
        id: `evt_${randomBytes(12).toString('hex')}`,
        object: 'event',
        api_version: '2026-10-28.endive',
        created: Math.floor(at.getTime() / 1000),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      return send(event, body ?? JSON.stringify(event, null, 2), { secret, at });
    },
    repeat: ({ event, body }) => send(event, body, { secret: STRIPE_WEBHOOK_SECRET, at: new Date() }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function known(id: string): Session {
    const session = stripe.sessions.get(id);
    if (!session)
      throw new CheckoutError(404, {
        code: 'resource_missing',
        message: `No such checkout.session: '${id}'`,
      });
    return session;
  }

  function open(id: string): Session {
    const session = known(id);
    if (session.status !== 'open') throw new Error(`session ${id} is ${session.status}`);
    return session;
  }

  async function send(
    event: Sent['event'],
    body: string,
    { secret, at }: { secret: string; at: Date },
  ): Promise<Sent> {
    const sent: Sent = { event, body, status: 0, answer: '' };
    stripe.sent.push(sent);
    if (stripe.loses || stripe.endpoint === undefined) return sent;
    const time = Math.floor(at.getTime() / 1000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const response = await fetch(stripe.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': `t=${time},v1=${signature},v0=${'0'.repeat(64)}`,
      },
      body,
    });
    sent.status = response.status;
    sent.answer = await response.text();
    return sent;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname.startsWith('/c/pay/')) return page(request, response, pathname.slice('/c/pay/'.length));
    stripe.requests.push({ method: request.method ?? '', path: pathname, headers: request.headers });
    const body = await read(request);
    response.setHeader('content-type', 'application/json');
    response.setHeader('request-id', `req_${randomBytes(7).toString('hex')}`);
    response.setHeader('stripe-version', request.headers['stripe-version'] ?? '2026-10-28.endive');
    try {
      authorize(request);
      if (stripe.fails)
        throw new CheckoutError(500, { type: 'api_error', message: 'Sorry! Something went wrong.' });
      if (request.method !== 'POST') return void response.end(JSON.stringify(find(pathname, searchParams)));
      const { status, text, isReplayed } = post(pathname, body, request.headers['idempotency-key']);
      if (isReplayed) response.setHeader('idempotent-replayed', 'true');
      response.statusCode = status;
      response.end(text);
    } catch (error) {
      if (!(error instanceof CheckoutError)) throw error;
      response.statusCode = error.status;
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', ...error.body } }));
    }
  }

  function find(pathname: string, query: URLSearchParams): object {
    if (pathname === '/v1/checkout/sessions')
      return {
        object: 'list',
        url: pathname,
        has_more: false,
        data: [...stripe.sessions.values()].slice(0, 1).map(shown),
      };
    const session = known(pathname.slice('/v1/checkout/sessions/'.length));
    const isExpanded = query.get('expand[0]') === 'payment_intent' && session.payment_intent !== null;
    const intent = { id: session.payment_intent, object: 'payment_intent', status: session.intentStatus };
    return { ...shown(session), ...(isExpanded && { payment_intent: intent }) };
  }

  /** The same key with the same parameters is the same answer; with others it is a mistake. */
  function post(pathname: string, params: string, key: string | string[] | undefined) {
    const earlier = typeof key === 'string' ? replies.get(key) : undefined;
    if (earlier && earlier.params !== params)
      throw new CheckoutError(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    if (earlier) return { status: earlier.status, text: earlier.body, isReplayed: true };
    if (pathname !== '/v1/checkout/sessions')
      throw new CheckoutError(404, { message: `Unrecognized request URL (POST: ${pathname}).` });
    const session = createCheckoutSession(nested(params), url);
    stripe.sessions.set(session.id, session);
    const reply = { params, status: 200, body: JSON.stringify(shown(session)) };
    if (typeof key === 'string') replies.set(key, reply);
    return { status: 200, text: reply.body, isReplayed: false };
  }

  async function page(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const session = known(id);
    if (request.method === 'POST') {
      const how = new URLSearchParams(await read(request)).get('how');
      await stripe.pay(id, how === 'later' ? 'later' : 'at_once');
      response.writeHead(303, { location: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) });
      response.end();
      return;
    }
    const amount = `${session.amount_total / 100} ${session.currency.toUpperCase()}`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>Checkout</title><h1>Pay ${amount}</h1>
      <form method="post"><button name="how" value="at_once">Pay</button><button name="how" value="later">Pay by transfer</button></form>
      <a href="${session.cancel_url.replaceAll('&', '&amp;')}">Back</a></html>`);
  }

  return stripe;
}

function authorize({ headers }: IncomingMessage): void {
  if (headers.authorization === `Bearer ${STRIPE_KEY}`) return;
  throw new CheckoutError(401, { message: 'Invalid API Key provided: sk_test_****' });
}

/** What the API shows of a session. */
function shown({ intentStatus: _s, refunded: _r, intentMetadata: _m, ...session }: Session) {
  return { ...session, url: session.status === 'open' ? session.url : null };
}

function chargeOf(session: Session) {
  const { amount_total: amount, refunded, currency, intentMetadata: metadata } = session;
  return {
    id: `ch_${session.id.slice(8)}`,
    object: 'charge',
    amount,
    amount_refunded: refunded,
    refunded: refunded === amount,
    currency,
    metadata,
    payment_intent: session.payment_intent,
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** `line_items[0][quantity]=1` */
function nested(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '');
    const last = path.pop() ?? '';
    let place = params;
    for (const part of path) {
      const inner = place[part];
      const next: Params = typeof inner === 'object' ? inner : {};
      place[part] = next;
      place = next;
    }
    place[last] = value;
  }
  return params;
}
