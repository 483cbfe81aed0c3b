// The end of an application: said plainly, confirmed by typing its name, done in one transaction.
// Its ledger, events and statements stay; so does its row, because they refer to it.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { deleteApplication } from '../../applications/application-change.ts';
import { type Balance, readBalance } from '../../ledger/balance.ts';
import { applicationNameCharacters } from '../../limits/applications.ts';
import { showMoney } from '../../money.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { TextField } from '../../page/field.tsx';
import { Notice } from '../../page/notice.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { applicationOf, audited } from './visit.ts';

const PATH = '/applications/:application/delete';

/** For owners: what the balance holds is the company's money. */
export function createDeletionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, application: Application, typed?: string) => {
    const balance = await readBalance(deps.db, application.id);
    ctx.body = renderPage(
      <DeletionPage visit={visit} application={application} balance={balance} typed={typed} />,
    );
  };
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    await show(ctx, visit, await applicationOf(deps, visit, request));
  };
  const remove = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const typed = (request.fields.name ?? '').trim();
    if (typed !== application.name) {
      ctx.status = 400;
      return show(ctx, visit, application, typed);
    }
    const { id, workspaceId, name } = application;
    await audited(deps, visit, {
      action: 'application.deleted',
      detail: { name },
      async make(tx, now) {
        const deleted = await deleteApplication(tx, { id, workspaceId }, now);
        await deps.revokeClient(tx, deleted.clientId);
        return deleted;
      },
    });
    redirectTo(ctx, deps, visit, '/applications', {
      notice: `${name} has been deleted. Its balance and statements are kept below.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'owner', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'owner', fresh: true, handle: remove },
  ];
}

type DeletionPageProps = {
  visit: MemberVisit;
  application: Application;
  balance: Balance;
  typed: string | undefined;
};

function DeletionPage({ visit, application, balance, typed }: DeletionPageProps) {
  const rest = applicationRest(application, '/delete');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading={`Delete ${application.name}`}
      lead="This cannot be undone. To only stop sign-ins, disable it instead."
      problem={typed !== undefined && 'Nothing was deleted. That is not the name of the application.'}
    >
      <section class="panel panel-danger">
        <h2>What ends</h2>
        <ul class="points">
          <li>Nobody can sign in to it any more. Its Client ID and secrets stop working.</li>
          <li>Its customers’ access tokens, refresh tokens and codes stop working immediately.</li>
          <li>The customer-data API returns 404 for it, and it sends no more webhooks.</li>
          <li>
            Customers who sign in to a new application of yours are new customers, with a different{' '}
            <code>sub</code>.
          </li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          <li>Its ledger, events and monthly statements, available here as before.</li>
          <li>Webhooks for events that have already happened are still delivered.</li>
        </ul>
        <BalanceNotice balance={balance} />
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <TextField
            name="name"
            label={`Type “${application.name}” to confirm`}
            autocomplete="off"
            maximum={applicationNameCharacters}
            value={typed}
            problem={typed === undefined ? undefined : `The name is “${application.name}”.`}
            required
          />
          <FormActions kind="final" cancel={applicationPath(visit, application)}>
            Delete permanently
          </FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}

function BalanceNotice({ balance: { amount, currency } }: { balance: Balance }) {
  if (amount === 0n) return <p>Its balance is empty.</p>;
  return (
    <Notice kind="warning">
      {showMoney(amount, currency)} are left on its balance. The money stays in the ledger under this
      application and can no longer be spent. The operator of this service can credit the same amount to
      another application, or pay it out.
    </Notice>
  );
}
