// What an error of the database means to us: to be tried again, somebody's double, a server that is away. PostgreSQL
// and PGlite name it by the five characters of SQLSTATE, a broken connection by the code of the network.
import { isNativeError } from 'node:util/types';
import { serviceUnavailable, TollgateError } from '../errors.ts';
import { transactionAttempts } from '../limits/stores.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** The server became a replica; a new connection may find the new primary. */
const READ_ONLY_SERVER = '25006';
/** A statement that this connection has prepared does not fit its tables any more; a new connection prepares anew. */
const STALE_STATEMENT = '0A000';
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const LOCK_NOT_AVAILABLE = '55P03';
/** What every statement hears that follows the one that failed. */
const TRANSACTION_ABORTED = '25P02';

/** The five characters of SQLSTATE, or a network error's code; drizzle wraps the driver's error as `cause`. */
export function sqlState(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

export function isCheckViolation(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION;
}

/** Waited for somebody else's lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

export function isAbortedTransaction(error: unknown): boolean {
  return sqlState(error) === TRANSACTION_ABORTED;
}

export function isDemotion(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_SERVER;
}

/** The connection is of no use to anybody after this. */
export function endsConnection(error: unknown): error is Error {
  return isNativeError(error) && [READ_ONLY_SERVER, STALE_STATEMENT].includes(sqlState(error) ?? '');
}

/** SQLSTATE classes 22 and 23: a value or a row that PostgreSQL refuses. A database that is away concerns everybody. */
export function concernsOneRow(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}

/** Repeats the whole of `work` when the database asks for it. */
export async function repeatWhenAsked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!asksForRepetition(error) || attempt >= transactionAttempts) throw error;
    }
  }
}

function asksForRepetition(error: unknown): boolean {
  return [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, STALE_STATEMENT].includes(sqlState(error) ?? '');
}

const UNREACHABLE =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|57P0|08|53|57014|55P03|25P03|25006)/;

/** A zero character, as text and in JSON. */
const UNSTORABLE_TEXT = ['22021', '22P05'];

/** The second net below isStorableText (src/http/storable-text.ts): who sends what nothing can hold made the mistake. */
export function isUnstorableText(error: unknown): boolean {
  return UNSTORABLE_TEXT.includes(sqlState(error) ?? '');
}

/** A database that is away, full, starting or too slow, as the 503 that callers may see; anything else as it is. */
export function asServiceUnavailable(error: unknown): unknown {
  if (error instanceof TollgateError) return error;
  const state = sqlState(error);
  if (state !== undefined && UNREACHABLE.test(state)) return serviceUnavailable(error);
  if (isBrokenConnection(error)) return serviceUnavailable(error);
  return error;
}

/** A database that is away, busy or in somebody's way: whatever was asked may be asked again. */
export function concernsNobody(error: unknown): boolean {
  return (
    asksForRepetition(error) || (asServiceUnavailable(error) !== error && !(error instanceof TollgateError))
  );
}

const BROKEN =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/;

/** pg reports these without a code. */
function isBrokenConnection(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  return BROKEN.test(error.message) || isBrokenConnection(error.cause);
}
