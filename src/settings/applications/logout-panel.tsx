// What the addresses of an application say about back-channel logout; the page about it is logout.tsx.
import type { Application } from '../../applications/application.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { applicationPath } from './frame.tsx';

export const LOGOUT_LEAD =
  'When somebody’s session at Tollgate ends, we tell your backend, so that it can end its own session too.';

export function LogoutPanel({ visit, application }: { visit: MemberVisit; application: Application }) {
  const { backchannelLogoutUri } = application;
  return (
    <Panel
      heading="Back-channel logout"
      lead={LOGOUT_LEAD}
      actions={
        <ButtonLink href={applicationPath(visit, application, '/logout')}>
          {backchannelLogoutUri ? 'Logout and its log' : 'Learn more'}
        </ButtonLink>
      }
    >
      {backchannelLogoutUri ? (
        <p>
          <code>{backchannelLogoutUri}</code>
        </p>
      ) : (
        <p>Off.</p>
      )}
    </Panel>
  );
}
