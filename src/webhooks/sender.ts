// One HTTPS POST to an endpoint that we must not trust: checked addresses, no redirects, everything
// bounded in time and bytes, nothing decompressed, and the connection closed whatever happened.
import net from 'node:net';
import tls from 'node:tls';
import { buildConnector, Client, errors } from 'undici';
import {
  webhookConnectAttemptMilliseconds,
  webhookConnectTimeoutMilliseconds,
  webhookInformationalAnswers,
  webhookResponseBytes,
  webhookResponseHeaderBytes,
  webhookStoredResponseCharacters,
  webhookTimeoutMilliseconds,
} from '../limits/webhooks.ts';
import {
  createResolver,
  type EndpointRules,
  hostOf,
  isAllowedIpAddress,
  parseEndpointUrl,
  type Resolve,
  resolveEndpoint,
} from './endpoint-url.ts';

export type FailureKind =
  | 'blocked_address'
  | 'connection'
  | 'dns'
  | 'invalid_response'
  | 'response_too_large'
  | 'timeout'
  | 'tls';

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

class SendFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

type Exchange = {
  rules: EndpointRules;
  resolve: Resolve;
  secureContext: tls.SecureContext;
  signal: AbortSignal;
};

export type SenderOptions = {
  rules: EndpointRules;
  /** PEM, besides the authorities that Node trusts. */
  extraCa?: string | undefined;
  resolve?: Resolve;
  /** For one request, from the look-up of the name to the end of the answer. */
  timeoutMilliseconds?: number;
};

export function createWebhookSender(options: SenderOptions): SendWebhook {
  const { rules, resolve = createResolver(), timeoutMilliseconds = webhookTimeoutMilliseconds } = options;
  const ca = [...tls.getCACertificates('default'), ...(options.extraCa ? [options.extraCa] : [])];
  // Once: reading a hundred and fifty authorities for every connection would cost more than the handshake.
  const secureContext = tls.createSecureContext({ ca });
  return async (request) => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const outcome = await exchange(request, { rules, resolve, secureContext, signal }).catch(
      (error: unknown) => ({
        failure: failureKind(error, signal),
      }),
    );
    return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  };
}

async function exchange(
  request: WebhookRequest,
  context: Exchange,
): Promise<Omit<WebhookAnswer, 'durationMs'>> {
  const url = allowedUrl(request.url, context.rules);
  const addresses = await allowedAddresses(hostOf(url), context);
  const client = new Client(url.origin, {
    connect: connectorTo(hostOf(url), addresses, context),
    allowH2: false,
    maxHeaderSize: webhookResponseHeaderBytes,
    // The one deadline for everything is the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const { headers, body } = request;
    const path = `${url.pathname}${url.search}`;
    const { signal } = context;
    const onInfo = refuseEndless();
    const response = await client.request({ method: 'POST', path, headers, body, signal, onInfo });
    const read = await readBeginning(response.body, signal);
    const retryAfter = response.headers['retry-after'];
    return {
      status: response.statusCode,
      ...(typeof retryAfter === 'string' && { retryAfter }),
      ...read,
    };
  } finally {
    await client.destroy();
  }
}

/** Each of them begins a new header for the parser, so that its limit never counts them together. */
function refuseEndless(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > webhookInformationalAnswers) throw new SendFailure('invalid_response');
  };
}

/** Asked again here, because rules may have become stricter since the subscription was made. */
function allowedUrl(value: string, rules: EndpointRules): URL {
  try {
    return parseEndpointUrl(value, rules);
  } catch (error) {
    throw new SendFailure('blocked_address', error);
  }
}

async function allowedAddresses(host: string, { rules, resolve, signal }: Exchange): Promise<string[]> {
  const resolving = resolveEndpoint(host, { rules, resolve }).catch((error: unknown) => {
    throw new SendFailure('dns', error);
  });
  const resolved = await Promise.race([resolving, aborted(signal)]);
  if (!resolved.allowed) throw new SendFailure('blocked_address');
  return resolved.addresses;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new SendFailure('timeout')), { once: true });
  });
}

/** Connects to the checked addresses only: the name is never resolved a second time. */
function connectorTo(host: string, addresses: string[], context: Exchange): buildConnector.connector {
  const secure = buildConnector({
    secureContext: context.secureContext,
    // Said although it is the default: NODE_TLS_REJECT_UNAUTHORIZED must not reach this connection.
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
    timeout: webhookConnectTimeoutMilliseconds,
  });
  return (options, callback) => {
    const port = Number(options.port || 443);
    openSocket({ host, port, addresses, rules: context.rules, signal: context.signal }).then(
      (httpSocket) =>
        secure({ ...options, httpSocket }, (...[error, socket]) => {
          if (error) callback(new SendFailure('tls', error), null);
          else callback(null, socket);
        }),
      (error: Error) => callback(error, null),
    );
  };
}

function openSocket(target: {
  host: string;
  port: number;
  addresses: string[];
  rules: EndpointRules;
  signal: AbortSignal;
}): Promise<net.Socket> {
  const { host, port, addresses, rules, signal } = target;
  const list = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host,
      port,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: webhookConnectAttemptMilliseconds,
      lookup: (_host, _options, callback) => callback(null, list),
      signal,
      timeout: webhookConnectTimeoutMilliseconds,
    });
    const fail = (failure: SendFailure) => {
      socket.destroy();
      reject(failure);
    };
    socket.once('error', (error) => fail(new SendFailure('connection', error)));
    socket.once('timeout', () => fail(new SendFailure('timeout')));
    socket.once('connect', () => {
      socket.setTimeout(0);
      // Before a byte is sent. The list was checked already; this asks the kernel who is really there.
      if (isAllowedIpAddress(socket.remoteAddress ?? '', host, rules)) resolve(socket);
      else fail(new SendFailure('blocked_address'));
    });
  });
}

type Body = AsyncIterable<Uint8Array>;

/** At most 64 KiB, as they come: a compressed bomb stays compressed. */
async function readBeginning(
  body: Body,
  signal: AbortSignal,
): Promise<{ excerpt: string; failure?: FailureKind }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let failure: FailureKind | undefined;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > webhookResponseBytes) {
        failure = 'response_too_large';
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    failure = failureKind(error, signal);
  }
  return { excerpt: excerptOf(Buffer.concat(chunks)), ...(failure && { failure }) };
}

/** As text that PostgreSQL accepts: it has no NUL. */
function excerptOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '').slice(0, webhookStoredResponseCharacters).toWellFormed();
}

function failureKind(error: unknown, signal: AbortSignal): FailureKind {
  if (error instanceof SendFailure) return error.kind;
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isNonsense = error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW';
  return isNonsense ? 'invalid_response' : 'connection';
}
