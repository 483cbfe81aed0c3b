// Why PostgreSQL cannot be opened although it answers, in one sentence for the operator: what is wrong in DATABASE_URL or
// missing on the server, and the command that helps.

import { isUnknownAuthority, NAME_THE_AUTHORITY } from '../config/unknown-authority.ts';
import { TollgateError } from '../errors.ts';
import { sqlState } from './sql-state.ts';

const INVALID_AUTHORIZATION = '28000';
const INVALID_PASSWORD = '28P01';
const NO_SUCH_DATABASE = '3D000';
const INSUFFICIENT_PRIVILEGE = '42501';

/** @returns the error itself when it is about something else. */
export function explainOpenProblem(error: unknown, databaseUrl: string): unknown {
  const sentence = sentenceFor(error, new URL(databaseUrl));
  return sentence === undefined ? error : new TollgateError('conflict', sentence, { cause: error });
}

function sentenceFor(error: unknown, url: URL): string | undefined {
  const where = `PostgreSQL at ${url.host}`;
  const user = decodeURIComponent(url.username) || 'its default user';
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const said = messageOf(error);
  const state = sqlState(error);
  switch (state) {
    case INVALID_AUTHORIZATION:
    case INVALID_PASSWORD:
      return /^role .* does not exist/.test(said)
        ? `${where} has no role "${user}" (DATABASE_URL). Make it with \`createuser --pwprompt ${user}\`, or name another.`
        : `${where} refuses "${user}" (DATABASE_URL): ${said}. Correct user and password there, or pg_hba.conf on the server.`;
    case NO_SUCH_DATABASE:
      return `${where} has no database "${database}" (DATABASE_URL). Make it with \`createdb --owner ${user} ${database}\`, or name another.`;
    case INSUFFICIENT_PRIVILEGE:
      return `"${user}" may not create what Tollgate needs in the database "${database}" (DATABASE_URL): ${said}. Make it the owner: \`alter database "${database}" owner to "${user}"\`.`;
  }
  if (isUnknownAuthority(error)) return `${where} is not trusted (DATABASE_URL). ${NAME_THE_AUTHORITY}`;
  if (said.includes('does not support SSL'))
    return `${where} speaks no TLS (DATABASE_URL). Take sslmode out of the address, or switch TLS on at the server.`;
  return undefined;
}

/** drizzle wraps the driver's error, and its own message quotes the statement. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? messageOf(error.cause) : error.message;
}
