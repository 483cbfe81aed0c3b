// The balance page of an application in test mode (docs/decisions/1101): there is none, and nothing to pay.
import type { Application } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Panel } from '../../page/panel.tsx';
import { ApplicationFrame, applicationPath } from '../applications/frame.tsx';
import type { MemberVisit } from '../shell/visit.ts';

export function TestBalancePage({ visit, application }: { visit: MemberVisit; application: Application }) {
  const mayGoLive = application.deletedAt === null && isAtLeast(visit.member.role, 'owner');
  return (
    <ApplicationFrame visit={visit} application={application} tab="balance">
      <Panel
        heading="Test money"
        lead="In test mode, sign-ins are charged to test money that never runs out. Nothing here costs anything, and it is on no statement."
        actions={
          mayGoLive && (
            <ButtonLink kind="primary" href={applicationPath(visit, application, '/go-live')}>
              Go live
            </ButtonLink>
          )
        }
      >
        <p class="fine">The OAuth balance begins when the application goes live.</p>
      </Panel>
    </ApplicationFrame>
  );
}
