// The invitations of a workspace that were mailed and wait for an answer.
import type { Invitation } from '../../applications/invitation.ts';
import { Badge } from '../../page/badge.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { roleName } from './role-field.tsx';

type ListProps = { visit: MemberVisit; invitations: Invitation[]; now: Date };

export function OpenInvitations({ visit, invitations, now }: ListProps) {
  const isOwner = visit.member.role === 'owner';
  return (
    <Panel heading="Invitations" lead="Sent, but not accepted yet.">
      <DataTable caption="Invitations" head={['Address', 'Role', 'Valid until']}>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td>
              {isOwner ? (
                <a href={visit.path(invitationPath(invitation))}>{invitation.email}</a>
              ) : (
                invitation.email
              )}
            </td>
            <td>{roleName(invitation.role)}</td>
            <td>
              <Validity invitation={invitation} now={now} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}

export function Validity({ invitation, now }: { invitation: Invitation; now: Date }) {
  if (invitation.expiresAt <= now) return <Badge kind="warning">expired</Badge>;
  return <Time at={invitation.expiresAt} />;
}

export function invitationPath({ id }: Pick<Invitation, 'id'>): string {
  return `/members/invitations/${id}`;
}
