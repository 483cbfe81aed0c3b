// The applications that a person signs in to with this account: what each may see, and the way to withdraw that, upon
// which everything it holds of the person ends at once and the next sign-in asks again.
import {
  type ConnectedApplication,
  findConnectedApplication,
  listConnectedApplications,
  withdrawConsent,
} from '../../src/applications/customers-of-account.ts';
import { identifiersOf } from '../../src/applications/resource.ts';
import { TollgateError } from '../../src/errors.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { EmptyState } from '../../src/page/empty.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { Mark } from '../../src/page/layout.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { redirectTo } from './flash.ts';
import { AccountFrame } from './frame.tsx';
import { Moment } from './moment.tsx';
import { sectionTexts } from './texts/sections.ts';
import { sessionTexts } from './texts/sessions.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

const APPLICATIONS = '/applications';
const WITHDRAW = '/applications/withdraw';

export function createApplicationRoutes(deps: AccountDependencies): AccountRoute[] {
  const { db, customerSessions } = deps;
  return [
    {
      method: 'GET',
      path: APPLICATIONS,
      async handle(ctx, visit) {
        const connections = await listConnectedApplications(db, visit.account.id);
        ctx.body = renderPage(<ApplicationsPage visit={visit} connections={connections} />);
      },
    },
    {
      method: 'POST',
      path: WITHDRAW,
      async handle(ctx, { account, change }, { application = '' }) {
        const accountId = account.id;
        await change(async (tx) => {
          const connection = await findConnectedApplication(tx, { accountId, applicationId: application });
          if (!connection)
            throw new TollgateError('not_found', 'You are not connected to such an application.');
          // The consent first: a sign-in under way makes no grant from it any more.
          await withdrawConsent(tx, { accountId, applicationId: connection.applicationId });
          await customerSessions.end(tx, { accountId, clientId: connection.clientId });
        });
        redirectTo(ctx, deps, accountId, APPLICATIONS, { done: 'accessWithdrawn' });
      },
    },
  ];
}

function ApplicationsPage({
  visit,
  connections,
}: {
  visit: AccountVisit;
  connections: ConnectedApplication[];
}) {
  const { applications: texts } = sessionTexts[visit.language];
  return (
    <AccountFrame
      visit={visit}
      section="applications"
      heading={sectionTexts[visit.language].applications}
      lead={texts.lead}
    >
      {connections.length === 0 ? (
        <EmptyState heading={texts.none} />
      ) : (
        <>
          <p>{texts.keeps}</p>
          {connections.map((connection) => (
            <ConnectionPanel key={connection.applicationId} visit={visit} connection={connection} />
          ))}
        </>
      )}
    </AccountFrame>
  );
}

function ConnectionPanel({ visit, connection }: { visit: AccountVisit; connection: ConnectedApplication }) {
  const { applications: texts } = sessionTexts[visit.language];
  const { applicationId, name, hasLogo, scopes, since, lastSignInAt } = connection;
  const seen = seenBy(visit, scopes);
  return (
    <Panel
      heading={name}
      actions={
        scopes && (
          <Form
            action={accountPath(WITHDRAW)}
            token={visit.token(WITHDRAW)}
            label={`${texts.withdraw}: ${name}`}
          >
            <input type="hidden" name="application" value={applicationId} />
            <Button kind="danger">{texts.withdraw}</Button>
          </Form>
        )
      }
    >
      <div class="connection">
        <Mark name={name} logoPath={hasLogo ? `/applications/${applicationId}/logo` : undefined} />
        <Facts
          facts={[
            [texts.sees, seen || texts.noneSeen],
            [texts.since, <Moment key="since" at={since} language={visit.language} />],
            ...(lastSignInAt
              ? [
                  [
                    texts.lastSignIn,
                    <Moment key="last" at={lastSignInAt} language={visit.language} />,
                  ] satisfies Parameters<typeof Facts>[0]['facts'][number],
                ]
              : []),
          ]}
        />
      </div>
    </Panel>
  );
}

function seenBy({ language }: AccountVisit, scopes: string[] | null): string {
  const { applications: texts } = sessionTexts[language];
  const words: [scope: string, text: string][] = [
    ['openid', texts.openid],
    ['email', texts.email],
    ['profile', texts.profile],
    ['offline_access', texts.offline],
  ];
  const seen = words.flatMap(([scope, text]) => (scopes?.includes(scope) ? [text] : []));
  const seenAndUsed = [...seen, ...identifiersOf(scopes ?? [])];
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(seenAndUsed);
}
