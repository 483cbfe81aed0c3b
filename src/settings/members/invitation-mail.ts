// The mails of company settings that go to people who are not there yet.
import type { Invitation } from '../../applications/invitation.ts';
import { readableTime } from '../../page/time.tsx';
import type { Mail } from '../../queue/mail.ts';
import { composeNotice } from '../../queue/notice-mail.ts';

export type InvitationMail = {
  invitation: Pick<Invitation, 'email' | 'role' | 'expiresAt'>;
  workspaceName: string;
  /** undefined: the operator of the service. */
  inviter: string | undefined;
  link: string;
};

export function invitationMail({ invitation, workspaceName, inviter, link }: InvitationMail): Mail {
  const { email, role, expiresAt } = invitation;
  return composeNotice({
    to: email,
    subject: `Invitation to ${workspaceName}`,
    paragraphs: [
      `${inviter ?? 'The operator of this service'} invites you to the workspace ${workspaceName} as ${role === 'owner' ? 'an owner' : `a ${role}`}.`,
      `Open the link and sign in with ${email}. It works once and expires on ${readableTime(expiresAt)}.`,
      'If you weren’t expecting this invitation, you can ignore this email.',
    ],
    link: { label: 'View invitation', url: link },
    expiresAt,
  });
}
