// A new API key: what it may read and for how long; the key itself is shown once, on the list.
import type { Context } from 'koa';
import { API_KEY_SCOPES, createApiKey, requireApiKeyName } from '../../applications/api-key.ts';
import { type Application, listApplications } from '../../applications/application.ts';
import { requireApplicationChoice } from '../../applications/application-choice.ts';
import { TollgateError } from '../../errors.ts';
import type { FormFields } from '../../http/form.ts';
import { apiKeyNameCharacters } from '../../limits/api-keys.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { TextField } from '../../page/field.tsx';
import { audited, problemOf } from '../applications/visit.ts';
import { ApplicationChoice, readApplicationChoice } from '../shell/application-choice.tsx';
import { redirectTo } from '../shell/flash.ts';
import { isRefused } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApiKeyExpiryFields, readApiKeyExpiry } from './expiry.tsx';

const PATH = '/api-keys/new';

export function createNewApiKeyRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const { db } = deps;
  const show = async (ctx: Context, visit: MemberVisit, fields: FormFields, problems: Problems = {}) => {
    const applications = await listApplications(db, visit.workspace.id);
    ctx.body = renderPage(<NewApiKeyPage {...{ visit, applications, fields, problems }} />);
  };
  const create = async (ctx: Context, visit: MemberVisit, { fields }: SettingsRequest) => {
    const workspaceId = visit.workspace.id;
    const applicationIds = readApplicationChoice(fields);
    const expiry = readApiKeyExpiry(fields, deps.clock());
    const problems: Problems = {
      name: await problemOf(() => requireApiKeyName(fields.name ?? '')),
      applications: await problemOf(() => requireApplicationChoice(db, { workspaceId, applicationIds })),
      ...('problem' in expiry && { expires: expiry.problem }),
    };
    if ('problem' in expiry || isRefused(problems)) {
      ctx.status = 400;
      return show(ctx, visit, fields, problems);
    }
    const { expiresAt } = expiry;
    const name = requireApiKeyName(fields.name ?? '');
    try {
      const { key } = await audited(deps, visit, {
        action: 'api_key.created',
        detail: { name, applications: applicationIds ?? 'all', expiresAt: expiresAt?.toISOString() ?? null },
        make: (tx, now) =>
          createApiKey(tx, { workspaceId, name, scopes: API_KEY_SCOPES, applicationIds, expiresAt, now }),
      });
      redirectTo(ctx, deps, visit, '/api-keys', {
        notice: `The API key “${name}” is ready to use.`,
        secrets: [{ label: 'API key', value: key }],
      });
    } catch (error) {
      if (!(error instanceof TollgateError && error.code === 'conflict')) throw error;
      ctx.status = error.status;
      await show(ctx, visit, fields, { page: error.description });
    }
  };
  return [
    {
      method: 'GET',
      path: PATH,
      role: 'developer',
      fresh: true,
      handle: (ctx, visit) => show(ctx, visit, { applications: 'all' }),
    },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: create },
  ];
}

/** One sentence for each wrong field; `page` for what no field can mend. */
type Problems = Partial<Record<'name' | 'applications' | 'expires' | 'page', string | undefined>>;

type NewApiKeyPageProps = {
  visit: MemberVisit;
  applications: Application[];
  fields: FormFields;
  problems: Problems;
};

function NewApiKeyPage({ visit, applications, fields, problems }: NewApiKeyPageProps) {
  return (
    <SettingsFrame
      visit={visit}
      section="api-keys"
      heading="Create an API key"
      lead="Lets your server read customers and events. Never put it in a browser, app or repository."
      crumbs={[{ label: 'API keys', path: visit.path('/api-keys') }]}
      problem={isRefused(problems) && (problems.page ?? 'No key was created. Check the problems below.')}
    >
      <section class="panel">
        <Form action={visit.path(PATH)} token={visit.token(PATH)}>
          <TextField
            name="name"
            label="Name"
            hint="The server or job that uses it, so you know what stops working if you revoke it."
            autocomplete="off"
            maximum={apiKeyNameCharacters}
            value={fields.name}
            problem={problems.name}
            required
            focused
          />
          <ApplicationChoice
            legend="Can read"
            applications={applications}
            chosen={readApplicationChoice(fields)}
            problem={problems.applications}
          />
          <ApiKeyExpiryFields fields={fields} problem={problems.expires} />
          <p class="fine">
            Scope: <code>{API_KEY_SCOPES.join(' ')}</code>. The key is read-only.
          </p>
          <FormActions cancel={visit.path('/api-keys')}>Create key</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
