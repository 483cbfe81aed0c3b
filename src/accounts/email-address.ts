// What counts as an e-mail address: exactly one mailbox, in the one spelling that is stored, looked
// up and written into the SMTP envelope. Whatever is not plainly that is refused, never repaired (threat 35).
import { domainToASCII } from 'node:url';
import { emailAddressCharacters, emailLocalPartCharacters } from '../limits/credentials.ts';

/** RFC 5322 atext and single dots: no quotes, comments, spaces, lists, groups or angle brackets. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** What may be typed as a domain; keeps `%`, `/`, `:`, `[` and invisible characters from the URL parser. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels; the last one begins with a letter, so that no address literal passes. */
const MAIL_DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);

/**
 * The normalised address, or undefined when the input is not exactly one mailbox.
 *
 * Normalisation is settled before anything is validated. The local part must be ASCII: mapping ＠, İ, ß or the
 * Kelvin sign to look-alikes would let one mailbox claim another's account. A domain may be international and
 * becomes punycode. Letter case carries no meaning in any mailbox that people use, so all of it is lowered.
 */
export function parseEmailAddress(input: unknown): string | undefined {
  if (typeof input !== 'string' || input.length > 2 * emailAddressCharacters) return undefined;
  const text = input.trim();
  const at = text.indexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const typedDomain = text.slice(at + 1);
  if (localPart.length > emailLocalPartCharacters || !LOCAL_PART.test(localPart)) return undefined;
  if (!TYPED_DOMAIN.test(typedDomain) || hasCompatibilityForms(typedDomain)) return undefined;
  const domain = domainToASCII(typedDomain).toLowerCase();
  if (!MAIL_DOMAIN.test(domain)) return undefined;
  const email = `${localPart.toLowerCase()}@${domain}`;
  return email.length <= emailAddressCharacters ? email : undefined;
}

/**
 * Where its mail arrives, as far as the spelling says: what follows a plus is the owner's own note in every mailbox that
 * knows it, and Gmail looks over dots. Only for counting mails: people may have an account for each spelling.
 * @param address as parseEmailAddress spells it
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+');
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}

/** Full-width letters, ligatures and the like: a person who types those means something that we cannot know. */
function hasCompatibilityForms(text: string): boolean {
  return text.normalize('NFC') !== text.normalize('NFKC');
}
