// What a person sees before they take their data with them, or delete it: in plain words what goes and what stays.
import type { CustomerOfAccount } from '../../src/applications/customers-of-account.ts';
import type { Workspace } from '../../src/applications/workspace.ts';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { EmailField } from '../../src/page/field.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { AccountFrame } from './frame.tsx';
import { type AccountVisit, accountPath } from './visit.ts';

export const DATA = '/data';
export const DOWNLOAD = '/data/download';
export const DELETION = '/delete';

export function DataPage({ visit }: { visit: AccountVisit }) {
  const { data } = visit.texts;
  return (
    <AccountFrame visit={visit} section="data" heading={data.heading} lead={data.lead}>
      <Panel heading={data.download} lead={data.downloadLead}>
        <Form action={accountPath(DOWNLOAD)} token={visit.token(DOWNLOAD)} label={data.download} downloads>
          <Button kind="secondary">{data.download}</Button>
        </Form>
      </Panel>
      <Panel
        heading={data.delete}
        lead={data.deleteLead}
        actions={
          <ButtonLink kind="danger" href={accountPath(DELETION)}>
            {data.delete}
          </ButtonLink>
        }
        danger
      />
    </AccountFrame>
  );
}

export type DeletionProps = {
  visit: AccountVisit;
  applications: CustomerOfAccount[];
  /** These have to be handed over first. */
  workspaces: Workspace[];
};

export function DeletionPage({ visit, applications, workspaces }: DeletionProps) {
  const { deletion, data } = visit.texts;
  return (
    <AccountFrame
      visit={visit}
      section="data"
      heading={deletion.heading}
      lead={deletion.lead}
      below={{ path: DATA, label: data.heading }}
    >
      <Panel heading={deletion.gone}>
        <ul class="points">
          {deletion.goneItems.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </Panel>
      <Panel heading={deletion.kept}>
        <p>{deletion.keptApplications}</p>
        {applications.length > 0 && (
          <>
            <p>{deletion.yourApplications}</p>
            <ul class="points">
              {applications.map(({ applicationId, applicationName }) => (
                <li key={applicationId}>{applicationName}</li>
              ))}
            </ul>
          </>
        )}
        <p>{deletion.keptLedger}</p>
      </Panel>
      {workspaces.length > 0 ? (
        <HandOver visit={visit} workspaces={workspaces} />
      ) : (
        <ConfirmDeletion visit={visit} />
      )}
    </AccountFrame>
  );
}

function HandOver({ visit, workspaces }: Pick<DeletionProps, 'visit' | 'workspaces'>) {
  const { deletion } = visit.texts;
  return (
    <Panel heading={deletion.handOver} lead={deletion.handOverLead} danger>
      <ul class="points">
        {workspaces.map(({ id, name }) => (
          <li key={id}>
            <a href={`/settings/${id}/members`}>{name}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function ConfirmDeletion({ visit }: { visit: AccountVisit }) {
  const { texts, account, flash } = visit;
  const { deletion } = texts;
  return (
    <Panel heading={deletion.button} danger>
      <Form action={accountPath(DELETION)} token={visit.token(DELETION)}>
        <EmailField
          name="email"
          label={deletion.confirm}
          hint={deletion.confirmHint(account.email)}
          value={flash.typed?.email}
          problem={flash.problem === 'deletionAddress' ? texts.problems.deletionAddress : undefined}
          required
        />
        <Button kind="final">{deletion.button}</Button>
      </Form>
    </Panel>
  );
}
