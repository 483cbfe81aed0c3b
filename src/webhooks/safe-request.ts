// One HTTPS request to an endpoint that we must not trust: checked addresses, no redirects, everything
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

export type SafeAnswer = {
  status?: number;
  /** The beginning of what the endpoint said, as it came. */
  body: Buffer;
  retryAfter?: string;
  /** Why there is no complete answer. */
  failure?: FailureKind;
};

export type SafeCall = { url: string; headers: Record<string, string> } & (
  | { method: 'GET' }
  | { method: 'POST'; body: string }
);
export type SafeRequest = (call: SafeCall) => Promise<SafeAnswer>;

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

export function createSafeRequest(options: SenderOptions): SafeRequest {
  const { rules, resolve = createResolver(), timeoutMilliseconds = webhookTimeoutMilliseconds } = options;
  const ca = [...tls.getCACertificates('default'), ...(options.extraCa ? [options.extraCa] : [])];
  // Once: reading a hundred and fifty authorities for every connection would cost more than the handshake.
  const secureContext = tls.createSecureContext({ ca });
  return (call) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    return exchange(call, { rules, resolve, secureContext, signal }).catch((error: unknown) => ({
      body: Buffer.alloc(0),
      failure: failureKind(error, signal),
    }));
  };
}

async function exchange(call: SafeCall, context: Exchange): Promise<SafeAnswer> {
  const url = allowedUrl(call.url, context.rules);
  const ipAddresses = await allowedIpAddresses(hostOf(url), context);
  const client = new Client(url.origin, {
    connect: connectorTo(hostOf(url), ipAddresses, context),
    allowH2: false,
    maxHeaderSize: webhookResponseHeaderBytes,
    // The one deadline for everything is the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const { method, headers } = call;
    const body = call.method === 'POST' ? call.body : null;
    const path = `${url.pathname}${url.search}`;
    const { signal } = context;
    const onInfo = refuseEndless();
    const response = await client.request({ method, path, headers, body, signal, onInfo });
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

async function allowedIpAddresses(host: string, { rules, resolve, signal }: Exchange): Promise<string[]> {
  const resolving = resolveEndpoint(host, { rules, resolve }).catch((error: unknown) => {
    throw new SendFailure('dns', error);
  });
  const resolved = await Promise.race([resolving, aborted(signal)]);
  if (!resolved.allowed) throw new SendFailure('blocked_address');
  return resolved.ipAddresses;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new SendFailure('timeout')), { once: true });
  });
}

/** Connects to the checked addresses only: the name is never resolved a second time. */
function connectorTo(host: string, ipAddresses: string[], context: Exchange): buildConnector.connector {
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
    openSocket({ host, port, ipAddresses, rules: context.rules, signal: context.signal }).then(
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
  ipAddresses: string[];
  rules: EndpointRules;
  signal: AbortSignal;
}): Promise<net.Socket> {
  const { host, port, ipAddresses, rules, signal } = target;
  const list = ipAddresses.map((address) => ({ address, family: net.isIP(address) }));
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
async function readBeginning(body: Body, signal: AbortSignal): Promise<Pick<SafeAnswer, 'body' | 'failure'>> {
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
  return { body: Buffer.concat(chunks), ...(failure && { failure }) };
}

function failureKind(error: unknown, signal: AbortSignal): FailureKind {
  if (error instanceof SendFailure) return error.kind;
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isNonsense = error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW';
  return isNonsense ? 'invalid_response' : 'connection';
}
