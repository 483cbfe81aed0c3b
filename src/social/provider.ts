// What a social identity provider is to the service (promise 10). One file per provider beside this one; a fourth
// provider is one more file and one more line in providers.ts.

/** Of one authorization request to a provider: the three values are new for each and good for no other. */
export type AuthorizationSecrets = { state: string; nonce: string; codeVerifier: string };

/** Who came back. `subject` names the person at this provider for ever; an address is only information about them. */
export type SocialPerson = {
  subject: string;
  email: string | undefined;
  /** The provider says that the address is the person's own. */
  emailVerified: boolean;
  name: string | undefined;
};

export type SocialProvider = {
  /** Part of the callback's path and of stored identities: it never changes. */
  id: string;
  /** As the provider spells it. */
  name: string;
  /**
   * The person has to act on a page of the provider's each time. One that sends the browser back by itself, going by a
   * session of its own, is no answer to an application, or a page of ours, that asks for a new sign-in.
   */
  asksThePerson: boolean;
  /** Where the browser goes. */
  authorizationUrl(authorization: AuthorizationSecrets): Promise<string>;
  /** @param answer the parameters of the callback. Rejects when anything about them is not as it must be. */
  identify(answer: URLSearchParams, authorization: AuthorizationSecrets): Promise<SocialPerson>;
  /** Rejects when the provider does not answer or its keys cannot be read. */
  probe(): Promise<void>;
};

export function callbackOf(baseUrl: string, providerId: string): string {
  return `${baseUrl}/social/${providerId}/callback`;
}

const SUBJECT_CHARACTERS = 255;

/** OpenID Connect Core §2: a string of at most 255 ASCII characters. */
export function requireSubject(subject: unknown): string {
  const isSubject =
    typeof subject === 'string' && /^[\x21-\x7e]+$/.test(subject) && subject.length <= SUBJECT_CHARACTERS;
  if (!isSubject) throw new TypeError('the provider sent no usable subject');
  return subject;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
