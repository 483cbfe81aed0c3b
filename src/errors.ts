// The one vocabulary of failures. Rooms throw these; doors turn them into JSON or a page. `description`
// is public; `detail` and `cause` go to the log and nowhere else.

/** Every code with the HTTP status that accompanies it. The OAuth ones are RFC 6749's. */
const statusOf = {
  invalid_request: 400,
  invalid_grant: 400,
  /** 400, not 503: client libraries parse an OAuth error only from a 4xx, and 503 would invite retries. */
  temporarily_unavailable: 400,
  invalid_client: 401,
  invalid_token: 401,
  /** The session ended while the request was on its way. */
  signed_out: 401,
  access_denied: 403,
  forbidden: 403,
  insufficient_scope: 403,
  /** The person is to prove once more who they are. */
  sign_in_too_old: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  /** Somebody gave the address up, and may still take it back (docs/decisions/0602). */
  address_reserved: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  too_many_requests: 429,
  server_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;

type ErrorOptionsOfTollgate = {
  /** For the log: what really happened. Never shown to anyone. */
  detail?: string | undefined;
  /** Whole seconds, at least 1; sent as Retry-After. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

export class TollgateError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly description: string;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, description: string, options: ErrorOptionsOfTollgate = {}) {
    super(description, { cause: options.cause });
    this.name = 'TollgateError';
    this.code = code;
    this.status = statusOf[code];
    this.description = description;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export function isCode(error: unknown, code: ErrorCode): error is TollgateError {
  return error instanceof TollgateError && error.code === code;
}

/** 429 with the time left, rounded up: a caller who waits exactly this long passes. */
export function tooManyRequests(millisecondsLeft: number, detail?: string): TollgateError {
  return new TollgateError('too_many_requests', 'Too many requests. Wait before you try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)),
    detail,
  });
}

/** What a store that does not answer looks like from outside: try again soon, nothing was done. */
export function serviceUnavailable(cause: unknown): TollgateError {
  return new TollgateError('service_unavailable', 'The service is busy or restarting. Try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}
