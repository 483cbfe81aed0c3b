// A webhook receiver that does all of docs/webhooks.md and nothing else: verify the raw bytes, refuse what is old,
// store before saying 2xx, and take every event once. Run it with
//   WEBHOOK_SECRET=whsec_… PORT=4003 node examples/webhook-receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';

const TOLERANCE_SECONDS = 300;
const MAXIMUM_BODY_BYTES = 64 * 1024;

export type WebhookEvent = {
  id: string;
  type: string;
  created_at: string;
  data: { application_id: string; kind: string; amount: string; currency: string; customer: { sub: string } };
};

/**
 * Where events go. Must have written when it resolves, for only then is the sender told that the event arrived;
 * false: an event with this id was there already. In SQL: insert … on conflict (id) do nothing.
 */
export type SaveEvent = (event: WebhookEvent) => Promise<boolean>;

export type ReceiverOptions = {
  /** As it was shown when the subscription was made; during a rotation the old and the new one. */
  secret: string | string[];
  /** 0 picks a free one. */
  port?: number;
  /** A certificate and its key, PEM; one is made for localhost when absent. */
  tls?: { cert: string; key: string };
  save?: SaveEvent;
  print?: (line: string) => void;
  clock?: () => Date;
};

export async function startWebhookReceiver(options: ReceiverOptions) {
  const certificate = options.tls ?? (await createCertificate());
  const { save = createMemoryStore(), print = console.log, clock = () => new Date() } = options;
  const secrets = [options.secret].flat();
  const events: WebhookEvent[] = [];

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET')
      return answer(response, 200, events.map(describe).join('\n') || 'no webhook yet');
    if (request.method !== 'POST') return answer(response, 405, 'webhooks are POST');
    const rawBody = await readBody(request);
    if (!rawBody) return answer(response, 413, 'the body is too large');
    const problem = signatureProblem({ headers: request.headers, rawBody, secrets, now: clock() });
    if (problem) {
      print(`refused: ${problem}`);
      return answer(response, 400, problem);
    }
    const event: WebhookEvent = JSON.parse(rawBody.toString('utf8'));
    if (await save(event)) {
      events.push(event);
      print(`verified ${describe(event)}`);
    } else {
      print(`again    ${event.id}, stored before`);
    }
    answer(response, 200, 'stored');
  }

  const server = createServer(certificate, (request, response) => {
    // Anything that went wrong here is our fault: 500, and the sender tries again later.
    receive(request, response).catch((error: unknown) => {
      print(`failed: ${error}`);
      answer(response, 500, 'try again later');
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `https://localhost:${port}/webhooks`,
    /** What the sender has to trust, PEM: WEBHOOK_CA_FILE of a development service. */
    ca: certificate.cert,
    /** Stored by this process, in the order of arrival. */
    events,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** undefined: the webhook is genuine and fresh. */
export function signatureProblem(webhook: {
  headers: IncomingMessage['headers'];
  rawBody: Buffer;
  secrets: string[];
  now: Date;
}): string | undefined {
  const { headers, rawBody, secrets, now } = webhook;
  const timestamp = headers['x-service-webhook-timestamp'];
  const signature = headers['x-service-webhook-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'a signature header is missing';
  if (!/^\d+$/.test(timestamp)) return 'the timestamp is not a number of seconds';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return 'the timestamp is too old or too new';
  const matches = secrets.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
    return constantTimeEqual(signature, `v1=${digest}`);
  });
  return matches.includes(true) ? undefined : 'the signature does not match';
}

function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The bytes as they came: parsing and writing them again would change what was signed. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAXIMUM_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`${text}\n`);
}

function describe({ id, type, data }: WebhookEvent): string {
  return `${id}  ${type}  customer ${data.customer.sub}  ${data.amount} ${data.currency}`;
}

function createMemoryStore(): SaveEvent {
  const ids = new Set<string>();
  return async ({ id }) => {
    const isNew = !ids.has(id);
    ids.add(id);
    return isNew;
  };
}

/** One JSON document per line, flushed to the disk; one at a time, so that twins cannot both be new. */
export async function openFileStore(path: string): Promise<SaveEvent> {
  const existing = await readFile(path, 'utf8').catch(() => '');
  const lines = existing.split('\n').filter((line) => line !== '');
  const ids = new Set(lines.map((line) => String(JSON.parse(line).id)));
  let last: Promise<unknown> = Promise.resolve();
  const save = async (event: WebhookEvent) => {
    if (ids.has(event.id)) return false;
    await appendFile(path, `${JSON.stringify(event)}\n`, { flush: true });
    ids.add(event.id);
    return true;
  };
  return (event) => {
    const saved = last.then(() => save(event));
    last = saved.catch(() => undefined);
    return saved;
  };
}

async function createCertificate(): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  return { cert: made.cert, key: made.private };
}

if (import.meta.main) {
  const secret = process.env.WEBHOOK_SECRET;
  if (!secret) {
    console.error(
      'WEBHOOK_SECRET is missing: the signing secret of the subscription (several: separated by commas).',
    );
    process.exit(1);
  }
  const file = process.env.WEBHOOK_EVENTS_FILE ?? 'webhook-events.ndjson';
  const save = await openFileStore(file);
  const receiver = await startWebhookReceiver({
    secret: secret.split(','),
    port: Number(process.env.PORT ?? 4003),
    save,
  });
  console.log(`Receiving webhooks at ${receiver.url}, storing them in ${file}`);
}
