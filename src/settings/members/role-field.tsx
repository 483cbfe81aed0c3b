// The choice of a role, with what each of them may do.
import { type Role, roles } from '../../applications/member.ts';
import { TollgateError } from '../../errors.ts';
import { RadioFields } from '../../page/choice-field.tsx';

const words: Record<Role, { label: string; hint: string }> = {
  viewer: { label: 'Viewer', hint: 'Can view applications, balances, usage and members.' },
  developer: { label: 'Developer', hint: 'Can also change applications, API keys and webhooks.' },
  owner: { label: 'Owner', hint: 'Can also top up balances, manage members and read the audit log.' },
};

export function RoleField({ value, problem }: { value: string | undefined; problem?: string | undefined }) {
  return (
    <RadioFields
      name="role"
      legend="Role"
      value={value}
      problem={problem}
      options={roles.map((role) => ({ value: role, ...words[role] }))}
    />
  );
}

export function roleName(role: Role): string {
  return words[role].label;
}

export const NO_ROLE = 'Choose one of the three roles.';

export function isRole(typed: string | undefined): typed is Role {
  return roles.some((role) => role === typed);
}

/** @throws TollgateError invalid_request */
export function requireRole(typed: string | undefined): Role {
  if (isRole(typed)) return typed;
  throw new TollgateError('invalid_request', NO_ROLE);
}
