// Structured logs, one line per event. What could be a secret is never handed to the log in the first place;
// the redaction here is the second net (threat 92).
import { isNativeError } from 'node:util/types';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'code',
  'code_verifier',
  'client_secret',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'apiKey',
  'key',
];

export function createLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const redact = {
    paths: SECRET_FIELDS.flatMap((field) => [field, `*["${field}"]`].map(quoted)),
    censor: '[redacted]',
  };
  const settings = {
    level: options.level,
    base: null,
    timestamp: isoTime,
    redact,
    serializers: { err: safeError },
  };
  return options.destination
    ? pino(settings, options.destination)
    : pino(settings, pino.destination({ sync: false }));
}

function quoted(path: string): string {
  return path.startsWith('*') ? path : `["${path}"]`;
}

function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`;
}

type LoggedError = {
  type: string;
  message: string;
  detail?: string;
  /** Not `code`: that name is redacted, since one-time and authorization codes have it. */
  errorCode?: string;
  stack?: string;
  cause?: LoggedError;
};

/** Driver errors carry the statement's parameters (names, hashes, addresses): only what is named here is kept. */
function safeError(error: unknown): LoggedError {
  if (!isNativeError(error)) return { type: typeof error, message: messageOf(error) ?? 'not an Error' };
  const isQuery = error.name === 'DrizzleQueryError' || 'query' in error;
  const logged: LoggedError = {
    type: error.name,
    message: isQuery ? 'database query failed' : error.message,
  };
  if ('detail' in error && typeof error.detail === 'string' && !isDriverError(error))
    logged.detail = error.detail;
  if ('code' in error && typeof error.code === 'string') logged.errorCode = error.code;
  if (error.stack && !isQuery) logged.stack = error.stack.split('\n').slice(1, 8).join('\n');
  if (isNativeError(error.cause)) logged.cause = safeError(error.cause);
  return logged;
}

/** pg-boss reports copies of errors. */
function messageOf(error: unknown): string | undefined {
  const isCopy = typeof error === 'object' && error !== null && 'message' in error;
  return isCopy && typeof error.message === 'string' ? error.message : undefined;
}

/** PostgreSQL's `detail` quotes the row ("Key (email)=(…) already exists"). */
function isDriverError(error: Error): boolean {
  return 'severity' in error || error.name === 'DatabaseError';
}
