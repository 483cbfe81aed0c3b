// The fields of a webhook subscription: where it goes, of which applications, which kinds of event. The
// same for a new one and for a change.
import { type Application, listApplications } from '../../applications/application.ts';
import { requireApplicationChoice } from '../../applications/application-choice.ts';
import type { FormFields } from '../../http/form.ts';
import { webhookUrlCharacters } from '../../limits/webhooks.ts';
import { CheckFields } from '../../page/choice-field.tsx';
import { UrlField } from '../../page/field.tsx';
import { checkEndpoint, endpointRulesOf, type Resolve } from '../../webhooks/endpoint-url.ts';
import { requireTypes, type WebhookType } from '../../webhooks/event-types.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { problemOf } from '../applications/visit.ts';
import { ApplicationChoice, readApplicationChoice } from '../shell/application-choice.tsx';
import type { MemberVisit, SettingsDependencies } from '../shell/visit.ts';

/** Names of the boxes; what a kind is called, and what it means. */
export const kinds: { field: string; type: WebhookType; name: string; hint: string }[] = [
  {
    field: 'registrations',
    type: 'identity.registration.completed.v1',
    name: 'Registration',
    hint: 'identity.registration.completed.v1: the first session of a customer in an application.',
  },
  {
    field: 'sign_ins',
    type: 'identity.login.completed.v1',
    name: 'Sign-in',
    hint: 'identity.login.completed.v1: every later one.',
  },
];

export type WebhookInput = { url: string; applicationIds: string[] | null; types: string[] };
/** One sentence for each wrong field; `page` for what no field can mend. */
export type WebhookProblems = Partial<Record<'url' | 'applications' | 'types' | 'page', string | undefined>>;

export function readWebhookInput(fields: FormFields): WebhookInput {
  return {
    url: (fields.url ?? '').trim(),
    applicationIds: readApplicationChoice(fields),
    types: kinds.filter(({ field }) => fields[field] === 'on').map(({ type }) => type),
  };
}

/** Outside of any transaction: the name of the endpoint is looked up. */
export async function webhookProblems(
  { db, config, resolve }: Pick<SettingsDependencies, 'db' | 'config'> & { resolve: Resolve },
  visit: MemberVisit,
  { url, applicationIds, types }: WebhookInput,
): Promise<WebhookProblems> {
  const workspaceId = visit.workspace.id;
  return {
    url: await problemOf(() => checkEndpoint(url, { rules: endpointRulesOf(config), resolve })),
    applications: await problemOf(() => requireApplicationChoice(db, { workspaceId, applicationIds })),
    types:
      types.length === 0 ? 'Choose at least one event type.' : await problemOf(() => requireTypes(types)),
  };
}

export type WebhookForm = { applications: Application[]; input: WebhookInput; problems: WebhookProblems };

export async function webhookForm(
  { db }: Pick<SettingsDependencies, 'db'>,
  visit: MemberVisit,
  input: WebhookInput,
  problems: WebhookProblems = {},
): Promise<WebhookForm> {
  return { applications: await listApplications(db, visit.workspace.id), input, problems };
}

export function WebhookFields({ applications, input, problems }: WebhookForm) {
  return (
    <>
      <UrlField
        name="url"
        label="Endpoint"
        hint="A public HTTPS address with a host name, on port 443 or from 1024 up."
        placeholder="https://shop.example/webhooks"
        maximum={webhookUrlCharacters}
        value={input.url}
        problem={problems.url}
        required
        focused
      />
      <CheckFields
        legend="Event types"
        problem={problems.types}
        fields={kinds.map(({ field, type, name, hint }) => ({
          name: field,
          label: name,
          hint,
          checked: input.types.includes(type),
        }))}
      />
      <ApplicationChoice
        legend="Events of"
        applications={applications}
        chosen={input.applicationIds}
        problem={problems.applications}
      />
    </>
  );
}

export function inputOf({ url, applicationIds, types }: Subscription): WebhookInput {
  return { url, applicationIds, types };
}

export function kindName(type: string): string {
  return kinds.find((kind) => kind.type === type)?.name ?? type;
}
