// A new API, and the change of one.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { changeResource, createResource } from '../../applications/resource-change.ts';
import type { Resource } from '../../applications/resource-list.ts';
import type { FormFields } from '../../http/form.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { isRefused, saveOrShowAgain } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import {
  ApiFields,
  type ApiInput,
  type ApiProblems,
  apiProblems,
  emptyInput,
  readApiInput,
} from './fields.tsx';
import { apiOf, apiRest } from './visit.ts';

const NEW = '/apis/new';
const EDIT = '/apis/:api/edit';

export function createApiFormRoutes(deps: SettingsDependencies): SettingsRoute[] {
  type Page = { input: ApiInput; api?: Resource; problems?: ApiProblems };
  const show = async (ctx: Context, visit: MemberVisit, { problems = {}, ...page }: Page) => {
    const applications = await listApplications(deps.db, visit.workspace.id);
    ctx.body = renderPage(<FormPage {...{ visit, applications, problems, ...page }} />);
  };

  const submit = async (
    ctx: Context,
    visit: MemberVisit,
    page: { fields: FormFields; api?: Resource; save: (input: ApiInput) => Promise<void> },
  ) => {
    const { fields, api, save } = page;
    const input = { ...readApiInput(fields), ...(api && { identifier: api.identifier }) };
    await saveOrShowAgain(ctx, {
      problems: await apiProblems(input, { isNew: !api }),
      save: () => save(input),
      again: (problems) => show(ctx, visit, { input, ...(api && { api }), problems }),
    });
  };

  const create = (ctx: Context, visit: MemberVisit, { fields }: SettingsRequest) =>
    submit(ctx, visit, {
      fields,
      async save(input) {
        const workspaceId = visit.workspace.id;
        const made = await audited(deps, visit, {
          action: 'api.created',
          detail: auditedOf(input),
          make: (tx, now) => createResource(tx, { ...input, workspaceId, now }),
        });
        redirectTo(ctx, deps, visit, apiRest(made), { notice: `${input.name} is registered.` });
      },
    });

  const change = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const api = await apiOf(deps, visit, request);
    await submit(ctx, visit, {
      fields: request.fields,
      api,
      async save(input) {
        await audited(deps, visit, {
          action: 'api.changed',
          target: api.id,
          detail: auditedOf(input),
          make: (tx) => changeResource(tx, { workspaceId: visit.workspace.id, resourceId: api.id }, input),
        });
        redirectTo(ctx, deps, visit, apiRest(api), { notice: 'Saved. It applies from the next token.' });
      },
    });
  };

  const edit = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const api = await apiOf(deps, visit, request);
    await show(ctx, visit, { api, input: api });
  };
  return [
    {
      method: 'GET',
      path: NEW,
      role: 'developer',
      fresh: true,
      handle: (ctx, visit) => show(ctx, visit, { input: emptyInput }),
    },
    { method: 'POST', path: NEW, role: 'developer', fresh: true, handle: create },
    { method: 'GET', path: EDIT, role: 'developer', fresh: true, handle: edit },
    { method: 'POST', path: EDIT, role: 'developer', fresh: true, handle: change },
  ];
}

function auditedOf(input: ApiInput) {
  return {
    identifier: input.identifier,
    name: input.name,
    format: input.tokenFormat,
    seconds: input.tokenSeconds,
    scopes: input.scopes.map(({ scope }) => scope),
    asking: input.askingIds,
    introspecting: input.introspectingIds,
  };
}

type FormPageProps = {
  visit: MemberVisit;
  applications: Application[];
  input: ApiInput;
  problems: ApiProblems;
  api?: Resource;
};

function FormPage({ visit, applications, input, problems, api }: FormPageProps) {
  const rest = api ? apiRest(api, '/edit') : NEW;
  const back = api ? apiRest(api) : '/apis';
  return (
    <SettingsFrame
      visit={visit}
      section="apis"
      heading={api ? `Change ${api.name}` : 'Register an API'}
      lead={
        api
          ? 'Scopes that you remove are in no new token. People are asked again only for new ones.'
          : 'Applications that you choose can then get access tokens for it, as far as each person agrees.'
      }
      crumbs={[
        { label: 'APIs', path: visit.path('/apis') },
        ...(api ? [{ label: api.name, path: visit.path(back) }] : []),
      ]}
      problem={isRefused(problems) && (problems.page ?? 'Nothing was saved. Check the problems below.')}
    >
      <section class="panel">
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <ApiFields {...{ input, problems, applications, isNew: !api }} />
          <FormActions cancel={visit.path(back)}>{api ? 'Save changes' : 'Register'}</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
