// The first page of the account: who the person is, how they get in, where they are signed in, and who sees what.
import { listSessions, type Session } from '../../src/accounts/session.ts';
import {
  type ConnectedApplication,
  listConnectedApplications,
} from '../../src/applications/customers-of-account.ts';
import { ButtonLink } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { Mark } from '../../src/page/layout.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { Device } from './devices.tsx';
import { AccountFrame } from './frame.tsx';
import { ProfileRows } from './profile.tsx';
import { sections } from './sections.ts';
import { findWaysIn, WaysInRows } from './sign-in.tsx';
import { sectionTexts } from './texts/sections.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

export function createOverview(deps: AccountDependencies): AccountRoute[] {
  const { db, clock } = deps;
  return [
    {
      method: 'GET',
      path: sections.overview.path,
      async handle(ctx, visit) {
        const accountId = visit.account.id;
        const ways = await findWaysIn(deps, visit);
        const browsers = await listSessions(db, { accountId, now: clock() });
        const applications = await listConnectedApplications(db, accountId);
        const texts = sectionTexts[visit.language];
        ctx.body = renderPage(
          <AccountFrame
            visit={visit}
            section="overview"
            heading={visit.texts.heading}
            lead={visit.texts.lead}
          >
            <Panel heading={texts.profile}>
              <ProfileRows visit={visit} />
            </Panel>
            <Panel heading={texts.signIn}>
              <WaysInRows visit={visit} ways={ways} />
            </Panel>
            <div class="columns">
              <DevicesPanel visit={visit} browsers={browsers} />
              <ApplicationsPanel visit={visit} applications={applications} />
            </div>
          </AccountFrame>,
        );
      },
    },
  ];
}

function DevicesPanel({ visit, browsers }: { visit: AccountVisit; browsers: Session[] }) {
  const texts = sectionTexts[visit.language];
  const own = browsers.find(({ uidHash }) => uidHash === visit.session.sessionHash);
  return (
    <Panel heading={texts.sessions} lead={texts.otherDevices(browsers.length - (own ? 1 : 0))}>
      <ul class="entries">
        <Device language={visit.language} session={own ?? visit.session} isHere />
      </ul>
      <div class="actions">
        <ButtonLink href={accountPath(sections.sessions.path)}>{texts.manage}</ButtonLink>
      </div>
    </Panel>
  );
}

const shownApplications = 3;

function ApplicationsPanel({
  visit,
  applications,
}: {
  visit: AccountVisit;
  applications: ConnectedApplication[];
}) {
  const texts = sectionTexts[visit.language];
  return (
    <Panel
      heading={texts.applications}
      lead={applications.length === 0 ? texts.noApplications : texts.applicationCount(applications.length)}
    >
      {applications.length > 0 && (
        <>
          <ul class="entries">
            {applications.slice(0, shownApplications).map(({ applicationId, name, hasLogo }) => (
              <li key={applicationId}>
                <Mark
                  small
                  name={name}
                  logoPath={hasLogo ? `/applications/${applicationId}/logo` : undefined}
                />
                <div class="row-words">
                  <strong>{name}</strong>
                </div>
              </li>
            ))}
          </ul>
          <div class="actions">
            <ButtonLink href={accountPath(sections.applications.path)}>{texts.manage}</ButtonLink>
          </div>
        </>
      )}
    </Panel>
  );
}
