// A company's own API, as a resource that access tokens are for (RFC 8707): its identifier, which is the audience of those
// tokens, its scopes in the company's words, and which of its applications have to do with it (docs/decisions/1203).
import { TollgateError } from '../errors.ts';
import {
  resourceIdentifierCharacters,
  resourceTokenSeconds,
  resourceTokenSecondsDefault,
  scopeCharacters,
  scopeDescriptionCharacters,
  scopesPerResource,
} from '../limits/applications.ts';
import { redirectUriProblem } from './redirect-uri.ts';
import { requireName } from './service-name.ts';

export type TokenFormat = 'jwt' | 'opaque';
export type ResourceScope = { scope: string; description: string };

/** What a company says of its API, and may change. */
export type ResourceInput = {
  name: string;
  tokenFormat: TokenFormat;
  tokenSeconds: number;
  scopes: ResourceScope[];
  /** Applications that may ask for tokens: none until somebody chooses them. */
  askingIds: string[];
  /** Applications that may introspect tokens for it: the API's own. */
  introspectingIds: string[];
};

/** Before anybody has said anything of it. */
export const newResource: ResourceInput = {
  name: '',
  tokenFormat: 'jwt',
  tokenSeconds: resourceTokenSecondsDefault,
  scopes: [],
  askingIds: [],
  introspectingIds: [],
};

/** Those of OpenID Connect, whether we have them or not: a client that sends them means something else. */
const RESERVED = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
const SCOPE = new RegExp(`^[A-Za-z0-9._:/-]{1,${scopeCharacters}}$`);

/**
 * RFC 8707 §2: an absolute URI without a fragment, and better without a query. Compared as text, so it has to be in its
 * normal form. @throws TollgateError invalid_request
 */
export function requireIdentifier(identifier: string): void {
  const problem =
    identifier.length > resourceIdentifierCharacters
      ? `is longer than ${resourceIdentifierCharacters} characters`
      : (redirectUriProblem(identifier) ?? (identifier.includes('?') && 'must not contain a query (?)'));
  if (problem) throw new TollgateError('invalid_request', `The identifier ${problem}.`);
}

/** @throws TollgateError invalid_request */
export function requireScopes(scopes: ResourceScope[]): void {
  if (scopes.length === 0) throw new TollgateError('invalid_request', 'An API needs at least one scope.');
  if (scopes.length > scopesPerResource)
    throw new TollgateError('invalid_request', `An API has at most ${scopesPerResource} scopes.`);
  if (new Set(scopes.map(({ scope }) => scope)).size !== scopes.length)
    throw new TollgateError('invalid_request', 'A scope is given twice.');
  for (const each of scopes) requireScope(each);
}

function requireScope({ scope, description }: ResourceScope): void {
  const shown = JSON.stringify(scope.slice(0, scopeCharacters));
  if (!SCOPE.test(scope))
    throw new TollgateError(
      'invalid_request',
      `The scope ${shown} must have 1 to ${scopeCharacters} letters, digits and . _ : / -`,
    );
  if (RESERVED.includes(scope))
    throw new TollgateError(
      'invalid_request',
      `The scope ${shown} has a meaning of its own in OpenID Connect.`,
    );
  const length = [...description].length;
  if (length === 0 || length > scopeDescriptionCharacters)
    throw new TollgateError(
      'invalid_request',
      `Say in 1 to ${scopeDescriptionCharacters} characters what the scope ${shown} allows: people read it when they agree.`,
    );
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(description))
    throw new TollgateError(
      'invalid_request',
      `What the scope ${shown} allows must not contain line breaks or invisible characters.`,
    );
}

/** @returns the input with its name trimmed. @throws TollgateError invalid_request */
export function requireResource(input: ResourceInput): ResourceInput {
  const lives: readonly number[] = resourceTokenSeconds;
  if (!lives.includes(input.tokenSeconds))
    throw new TollgateError('invalid_request', `Tokens live ${lives.join(', ')} seconds.`);
  requireScopes(input.scopes);
  return { ...input, name: requireName(input.name) };
}

// ── Consent ─────────────────────────────────────────────────────────────────────────────────────────────────

/** How a scope of an API stands in a consent, beside our own: neither part contains a space. */
export function agreedScope(identifier: string, scope: string): string {
  return `${identifier} ${scope}`;
}

/** What was agreed to at this API. */
export function scopesAgreedAt(identifier: string, agreed: string[]): string[] {
  const beginning = `${identifier} `;
  return agreed.flatMap((text) => (text.startsWith(beginning) ? text.slice(beginning.length) : []));
}

/** What was agreed to apart from all APIs. */
export function ownScopesOf(agreed: string[]): string[] {
  return agreed.filter((text) => !text.includes(' '));
}

/** The APIs that something was agreed to at. */
export function identifiersOf(agreed: string[]): string[] {
  return [...new Set(agreed.flatMap((text) => (text.includes(' ') ? text.slice(0, text.indexOf(' ')) : [])))];
}
