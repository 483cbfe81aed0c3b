// Which claims a scope stands for, and what a request asks for with either: whole scopes, or single claims (OpenID Connect
// Core §5.4 and §5.5). People agree to scopes, so a claim asks for the scope that it belongs to.

/** Ours; those of companies' APIs are in `resource_scopes`. */
export const supportedScopes = ['openid', 'email', 'profile', 'offline_access'];

export const personalClaims = {
  email: ['email', 'email_verified'],
  profile: ['name', 'updated_at'],
};

const scopeOf = new Map(
  Object.entries(personalClaims).flatMap(([scope, claims]) => claims.map((claim) => [claim, scope] as const)),
);

/** @returns undefined for claims about the sign-in itself, which need nobody's consent. */
export function scopeOfClaim(claim: string): string | undefined {
  return scopeOf.get(claim);
}

/** Each once, in their order. */
export function scopesOf(scope: unknown): string[] {
  return typeof scope === 'string' ? [...new Set(scope.split(' ').filter((name) => name !== ''))] : [];
}

/** What the person is to agree to. `claims` is the parameter as it came, once it is known to be well-formed. */
export function scopesAsked({ scope, claims }: { scope: unknown; claims: unknown }): string[] {
  const named = typeof claims === 'string' ? claimNames(JSON.parse(claims)) : [];
  return [...new Set([...scopesOf(scope), ...named.flatMap((claim) => scopeOf.get(claim) ?? [])])];
}

function claimNames(request: unknown): string[] {
  if (typeof request !== 'object' || request === null) return [];
  const { id_token: idToken, userinfo }: Record<string, unknown> = { ...request };
  return [idToken, userinfo].flatMap((part) =>
    typeof part === 'object' && part !== null ? Object.keys(part) : [],
  );
}
