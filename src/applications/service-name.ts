// The service name of an application, required when it is created.
import { TollgateError } from '../errors.ts';
import { applicationNameCharacters } from '../limits/applications.ts';

/** The name is shown to customers and sent in mails: one line, no direction marks that could disguise it. */
export function requireName(typed: string): string {
  const name = typed.trim();
  const length = [...name].length;
  if (length === 0 || length > applicationNameCharacters) {
    throw new TollgateError(
      'invalid_request',
      `A service name has 1 to ${applicationNameCharacters} characters.`,
    );
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new TollgateError(
      'invalid_request',
      'A service name must not contain line breaks or invisible characters.',
    );
  }
  return name;
}
