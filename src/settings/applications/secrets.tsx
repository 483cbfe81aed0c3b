// A second Client Secret, and the end of an old one, now or at a time. Nothing is cached, so
// what is decided here holds at the token endpoint of every process from the next request on.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import {
  addClientSecret,
  type ClientSecretRow,
  expireClientSecret,
  isLiveSecret,
  listClientSecrets,
} from '../../applications/client-secret-list.ts';
import { TollgateError } from '../../errors.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { CheckField, RadioFields } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { DateField } from '../../page/field.tsx';
import { Notice } from '../../page/notice.tsx';
import { readableTime } from '../../page/time.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { showCredentials } from './credentials.tsx';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { applicationOf, audited } from './visit.ts';

const SECRETS = '/applications/:application/secrets';
const EXPIRE = `${SECRETS}/:secret/expire`;

export function createSecretRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const create = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    try {
      const value = await audited(deps, visit, {
        action: 'client_secret.created',
        target: application.id,
        make: (tx, now) => addClientSecret(tx, keyOf(application), now),
      });
      redirectTo(ctx, deps, visit, applicationRest(application, '/credentials'), {
        notice: 'The new Client Secret works now. The others keep working.',
        secrets: [{ label: 'Client Secret', value }],
      });
    } catch (error) {
      if (!(error instanceof TollgateError && error.code === 'invalid_request')) throw error;
      ctx.status = error.status;
      await showCredentials(ctx, deps, { visit, application, problem: error.description });
    }
  };
  const find = async (visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const live = (await listClientSecrets(deps.db, application.id)).filter((each) =>
      isLiveSecret(each, deps.clock()),
    );
    const secret = live.find(({ id }) => id === request.params.secret);
    if (!secret)
      throw new TollgateError('not_found', 'That Client Secret does not exist or no longer works.');
    return { application, secret, others: live.filter((each) => each !== secret) };
  };
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    ctx.body = renderPage(
      <ExpirePage visit={visit} {...(await find(visit, request))} typed={{ when: 'now' }} />,
    );
  };
  const expire = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const found = await find(visit, request);
    const typed: Typed = request.fields;
    const at = momentOf(typed, deps.clock());
    const refuse = (problem: string) => {
      ctx.status = 400;
      ctx.body = renderPage(<ExpirePage visit={visit} {...found} typed={typed} problem={problem} />);
    };
    if (!at) return refuse('Enter a date and time in the future, in UTC.');
    try {
      await audited(deps, visit, {
        action: 'client_secret.expired',
        target: found.application.id,
        detail: { secret: found.secret.id, hint: found.secret.hint, at: at.toISOString() },
        make: (tx, now) =>
          expireClientSecret(tx, keyOf(found.application), {
            secretId: found.secret.id,
            at: at > now ? at : now,
            lastOneToo: typed.confirmed === 'on' ? 'confirmed' : undefined,
            now,
          }),
      });
    } catch (error) {
      if (!(error instanceof TollgateError && error.code === 'conflict')) throw error;
      return refuse(error.description);
    }
    redirectTo(ctx, deps, visit, applicationRest(found.application, '/credentials'), {
      notice:
        typed.when === 'at'
          ? `The secret ending in ${found.secret.hint} works until ${readableTime(at)}.`
          : `The secret ending in ${found.secret.hint} no longer works.`,
    });
  };
  return [
    { method: 'POST', path: SECRETS, role: 'developer', fresh: true, handle: create },
    { method: 'GET', path: EXPIRE, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: EXPIRE, role: 'developer', fresh: true, handle: expire },
  ];
}

type Typed = { when?: string; at?: string; confirmed?: string };

function keyOf({ id, workspaceId }: Application) {
  return { id, workspaceId };
}

/** undefined: not a moment in the future. */
function momentOf({ when, at = '' }: Typed, now: Date): Date | undefined {
  if (when === 'now') return now;
  if (when !== 'at' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(at)) return undefined;
  const moment = new Date(`${at}Z`);
  return moment > now ? moment : undefined;
}

type ExpirePageProps = {
  visit: MemberVisit;
  application: Application;
  secret: ClientSecretRow;
  others: ClientSecretRow[];
  typed: Typed;
  problem?: string;
};

function ExpirePage({ visit, application, secret, others, typed, problem }: ExpirePageProps) {
  const rest = applicationRest(application, `/secrets/${secret.id}/expire`);
  const isLastOne = !others.some(({ expiresAt }) => expiresAt === null);
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="credentials"
      heading={`Expire the secret …${secret.hint}`}
      lead={secret.lastUsedAt ? `Last used on ${readableTime(secret.lastUsedAt)}.` : 'It was never used.'}
      problem={problem}
    >
      <section class="panel">
        {isLastOne && (
          <Notice kind="warning">
            This application has no other valid secret. Once this one expires, every sign-in and refresh fails
            with invalid_client until you create another.
          </Notice>
        )}
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <RadioFields
            name="when"
            legend="When"
            value={typed.when}
            options={[
              { value: 'now', label: 'Now', hint: 'Takes effect with the next request.' },
              { value: 'at', label: 'At a time', hint: 'Until then it keeps working.' },
            ]}
          />
          <DateField name="at" label="Time in UTC" note="for “At a time”" value={typed.at} time />
          {isLastOne && (
            <CheckField
              name="confirmed"
              label="I understand that sign-ins will fail from then on"
              checked={typed.confirmed === 'on'}
            />
          )}
          <FormActions kind="final" cancel={applicationPath(visit, application, '/credentials')}>
            Expire secret
          </FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}
