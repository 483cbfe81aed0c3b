// What the value of a variable may look like: each shape says in words what is wrong with another one.
import { z } from 'zod';
import { secretMinimumCharacters } from '../limits/server.ts';
import { parseAmount } from '../money.ts';
import { isRedisUrl } from '../redis/url.ts';
import { splitSecrets } from '../secrets.ts';

/** An empty variable is an absent one: `SMTP_URL=` in a file must not mean "SMTP at nowhere". */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
export const withDefault = <T extends z.ZodType>(schema: T, fallback: string) =>
  z.preprocess((value) => (value === undefined || value === '' ? fallback : value), schema);

export const wholeNumber = (minimum: number, maximum: number) =>
  numberBetween(minimum, maximum, { pattern: /^\d+$/, kind: 'a whole number' });
export const decimalNumber = (minimum: number, maximum: number) =>
  numberBetween(minimum, maximum, { pattern: /^\d+(\.\d+)?$/, kind: 'a number' });
export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
/** A url with user and password in it. */
export const address = (...protocols: string[]) => encoded(...protocols).pipe(url(...protocols));
export const redisUrl = encoded('redis:', 'rediss:').refine(isRedisUrl, {
  error:
    'must be redis:// or rediss://, a host, and nothing after it but a database number, ?cluster=true and ?prefix=',
});

/** Says what is wrong when a password ended the address early; the value itself, which holds it, is never repeated. */
function encoded(...protocols: string[]) {
  const isOfThese = (value: string) => protocols.some((protocol) => value.startsWith(`${protocol}//`));
  return z.string().refine((value) => !isOfThese(value) || isWholeAddress(value), {
    error:
      'cannot be read as an address. In user and password each of @ : / ? # % must be percent-encoded; node -p "encodeURIComponent(\'…\')" prints how',
    abort: true,
  });
}

/** An @ that comes after the host was meant to stand before it. */
function isWholeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password, pathname, search, hash } = new URL(value);
  if (/@/.test(pathname + search + hash)) return false;
  return !/%(?![\da-f]{2})/i.test(username + password);
}
export const micro = z
  .string()
  .transform(parseAmount)
  .pipe(z.bigint({ error: 'must be an amount such as 0.02, with at most six decimals' }));
export const secrets = z
  .string()
  .refine((value) => splitSecrets(value).every((each) => each.length >= secretMinimumCharacters), {
    error: `must have at least ${secretMinimumCharacters} characters, or be several such secrets separated by commas`,
  });
export const onOff = oneOf(['on', 'off']).transform((value) => value === 'on');
export const yesNo = oneOf(['true', 'false']).transform((value) => value === 'true');

/** zod's own words for the alternatives are written for programmers. */
export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  const [last, ...others] = [...values].reverse();
  return z.enum(values, { error: `must be ${others.reverse().join(', ')} or ${last}` });
}

function numberBetween(
  minimum: number,
  maximum: number,
  { pattern, kind }: { pattern: RegExp; kind: string },
) {
  const error = `must be ${kind} from ${minimum} to ${maximum.toLocaleString('en')}`;
  return z
    .string()
    .regex(pattern, error)
    .transform(Number)
    .pipe(z.number().min(minimum, error).max(maximum, error));
}
