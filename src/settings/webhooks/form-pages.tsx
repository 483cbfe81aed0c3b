// A new webhook subscription, and the change of one. The signing secret of a new one is shown once.
import type { Context } from 'koa';
import { requireApplicationChoice } from '../../applications/application-choice.ts';
import type { FormFields } from '../../http/form.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { createResolver, endpointRulesOf } from '../../webhooks/endpoint-url.ts';
import { createSubscription, type Subscription } from '../../webhooks/subscription.ts';
import { changeSubscription } from '../../webhooks/subscription-change.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { isRefused, saveOrShowAgain } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import {
  inputOf,
  kinds,
  readWebhookInput,
  WebhookFields,
  type WebhookForm,
  type WebhookInput,
  type WebhookProblems,
  webhookForm,
  webhookProblems,
} from './fields.tsx';
import { endpointHost, subscriptionOf, subscriptionRest } from './visit.ts';

const NEW = '/webhooks/new';
const EDIT = '/webhooks/:subscription/edit';

export function createWebhookFormRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const rules = endpointRulesOf(deps.config);
  const resolve = createResolver();
  type Page = { input: WebhookInput; subscription?: Subscription; problems?: WebhookProblems };
  const show = async (ctx: Context, visit: MemberVisit, { input, subscription, problems }: Page) => {
    const form = await webhookForm(deps, visit, input, problems);
    ctx.body = renderPage(<FormPage visit={visit} form={form} subscription={subscription} />);
  };

  const submit = async (
    ctx: Context,
    visit: MemberVisit,
    page: { fields: FormFields; subscription?: Subscription; save: (input: WebhookInput) => Promise<void> },
  ) => {
    const { fields, subscription, save } = page;
    const input = readWebhookInput(fields);
    await saveOrShowAgain(ctx, {
      problems: await webhookProblems({ ...deps, resolve }, visit, input),
      save: () => save(input),
      again: (problems) => show(ctx, visit, { input, ...(subscription && { subscription }), problems }),
    });
  };

  const create = (ctx: Context, visit: MemberVisit, { fields }: SettingsRequest) =>
    submit(ctx, visit, {
      fields,
      async save({ url, types, ...input }) {
        const workspaceId = visit.workspace.id;
        const made = await audited(deps, visit, {
          action: 'webhook.created',
          detail: { url, types, applications: input.applicationIds ?? 'all' },
          async make(tx, now) {
            const chosen = await requireApplicationChoice(tx, { workspaceId, ...input });
            const applicationIds = chosen ?? undefined;
            return createSubscription(tx, {
              ...rules,
              ...deps,
              workspaceId,
              url,
              types,
              applicationIds,
              now,
            });
          },
        });
        redirectTo(ctx, deps, visit, subscriptionRest(made), {
          notice: 'Endpoint added. Send a test event to see how it responds.',
          secrets: [{ label: 'Signing secret', value: made.secret }],
        });
      },
    });

  const change = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    const which = { workspaceId: visit.workspace.id, subscriptionId: subscription.id };
    await submit(ctx, visit, {
      fields: request.fields,
      subscription,
      async save({ url, types, applicationIds }) {
        await audited(deps, visit, {
          action: 'webhook.changed',
          target: subscription.id,
          detail: { url, types, applications: applicationIds ?? 'all' },
          async make(tx) {
            const { workspaceId } = which;
            const chosen = await requireApplicationChoice(tx, { workspaceId, applicationIds });
            await changeSubscription(tx, { ...rules, ...which, url, types, applicationIds: chosen });
          },
        });
        redirectTo(ctx, deps, visit, subscriptionRest(subscription), { notice: 'Changes saved.' });
      },
    });
  };

  const edit = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    await show(ctx, visit, { subscription, input: inputOf(subscription) });
  };
  const everything = { url: '', applicationIds: null, types: kinds.map(({ type }) => type) };
  return [
    {
      method: 'GET',
      path: NEW,
      role: 'developer',
      fresh: true,
      handle: (ctx, visit) => show(ctx, visit, { input: everything }),
    },
    { method: 'POST', path: NEW, role: 'developer', fresh: true, handle: create },
    { method: 'GET', path: EDIT, role: 'developer', fresh: true, handle: edit },
    { method: 'POST', path: EDIT, role: 'developer', fresh: true, handle: change },
  ];
}

type FormPageProps = { visit: MemberVisit; form: WebhookForm; subscription: Subscription | undefined };

function FormPage({ visit, form, subscription }: FormPageProps) {
  const rest = subscription ? subscriptionRest(subscription, '/edit') : NEW;
  const back = subscription ? subscriptionRest(subscription) : '/webhooks';
  const { problems } = form;
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading={subscription ? 'Change the subscription' : 'Add an endpoint'}
      lead={
        subscription
          ? 'Waiting deliveries go to the new endpoint. The signing secret stays the same.'
          : 'Tollgate calls it when a registration or sign-in is completed and charged.'
      }
      crumbs={[
        { label: 'Webhooks', path: visit.path('/webhooks') },
        ...(subscription ? [{ label: endpointHost(subscription), path: visit.path(back) }] : []),
      ]}
      problem={isRefused(problems) && (problems.page ?? 'Nothing was saved. Check the problems below.')}
    >
      <section class="panel">
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <WebhookFields {...form} />
          <FormActions cancel={visit.path(back)}>{subscription ? 'Save changes' : 'Subscribe'}</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
