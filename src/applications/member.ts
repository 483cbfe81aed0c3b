// Who belongs to a company's workspace, and what they may do in company settings.

export const roles = ['viewer', 'developer', 'owner'] as const;
/** Each may do everything that those before it may. */
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
