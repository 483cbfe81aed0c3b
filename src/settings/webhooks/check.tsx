// A developer pastes a received request and is told which check fails, and why. The answer is the page
// itself, not a redirect: nothing that was pasted is kept anywhere.
import type { Context } from 'koa';
import { TollgateError } from '../../errors.ts';
import type { FormFields } from '../../http/form.ts';
import { pastedBodyCharacters, pastedHeadersCharacters } from '../../limits/webhooks.ts';
import { Badge, type BadgeProps } from '../../page/badge.tsx';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { TextAreaField, TextField } from '../../page/field.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import { checkReceivedRequest } from '../../webhooks/received-request.ts';
import type { Check } from '../../webhooks/signature-check.ts';
import { listSubscriptions, type Subscription } from '../../webhooks/subscription.ts';
import { refusalOf } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { endpointName } from './visit.ts';

const PATH = '/webhooks/check';
const COMPUTED_CHARACTERS = 200;

export function createWebhookCheckRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (
    ctx: Context,
    visit: MemberVisit,
    page: { fields: FormFields; checks?: Check[]; problem?: string },
  ) => {
    const subscriptions = await listSubscriptions(deps.db, visit.workspace.id);
    ctx.body = renderPage(<CheckPage visit={visit} subscriptions={subscriptions} {...page} />);
  };
  const check = async (ctx: Context, visit: MemberVisit, { fields }: SettingsRequest) => {
    let checks: Check[] = [];
    const error = await refusalOf(async () => {
      await deps.rateLimiter.consume('signature_checks', visit.member.accountId);
      const { headers = '', body = '', computed = '' } = fields;
      if (headers.trim() === '')
        throw new TollgateError('invalid_request', 'Paste the headers of the request.');
      checks = await checkReceivedRequest(deps.db, {
        keys: deps.keys,
        workspaceId: visit.workspace.id,
        subscriptionId: fields.subscription ?? '',
        headers,
        body,
        computed,
        now: deps.clock(),
      });
    });
    if (!error) return show(ctx, visit, { fields, checks });
    ctx.status = error.status;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    await show(ctx, visit, { fields, problem: error.description });
  };
  return [
    {
      method: 'GET',
      path: PATH,
      role: 'developer',
      handle: (ctx, visit, { query }) =>
        show(ctx, visit, { fields: { subscription: query.subscription ?? '' } }),
    },
    { method: 'POST', path: PATH, role: 'developer', handle: check },
  ];
}

type CheckPageProps = {
  visit: MemberVisit;
  subscriptions: Subscription[];
  fields: FormFields;
  checks?: Check[];
  problem?: string;
};

function CheckPage({ visit, subscriptions, fields, checks, problem }: CheckPageProps) {
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading="Check a received request"
      lead="Paste a webhook your receiver rejects to see which check fails and why. Nothing is stored."
      crumbs={[{ label: 'Webhooks', path: visit.path('/webhooks') }]}
      problem={problem}
    >
      {checks && <Result checks={checks} />}
      <section class="panel">
        {subscriptions.length === 0 ? (
          <EmptyState heading="No endpoints yet">
            <ButtonLink href={visit.path('/webhooks/new')}>Add an endpoint</ButtonLink>
          </EmptyState>
        ) : (
          <Form action={visit.path(PATH)} token={visit.token(PATH)}>
            <SelectField
              name="subscription"
              label="Subscription"
              value={fields.subscription}
              options={subscriptions.map((each) => ({ value: each.id, label: endpointName(each) }))}
              hint="The subscription the request was sent for. Its secret stays here."
            />
            <TextAreaField
              name="headers"
              label="Headers"
              hint="As your server logged them, one per line. You can include other headers, but leave out cookies and passwords."
              value={fields.headers}
              maximum={pastedHeadersCharacters}
              rows={5}
              required
              code
            />
            <TextAreaField
              name="body"
              label="Raw body"
              hint="The bytes your server received, before parsing."
              value={fields.body}
              maximum={pastedBodyCharacters}
              rows={7}
              code
            />
            <TextField
              name="computed"
              label="What your code computed"
              note="optional"
              hint="The signature your code expected instead. It shows what your code does differently."
              autocomplete="off"
              maximum={COMPUTED_CHARACTERS}
              value={fields.computed}
            />
            <Button>Check</Button>
          </Form>
        )}
      </section>
    </SettingsFrame>
  );
}

const marks: Record<Check['outcome'], { kind: BadgeProps['kind']; word: string }> = {
  passed: { kind: 'good', word: 'Passes' },
  failed: { kind: 'bad', word: 'Fails' },
  note: { kind: 'warning', word: 'Note' },
};

function Result({ checks }: { checks: Check[] }) {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return (
    <Panel heading="Result">
      {failed.length === 0 ? (
        <Notice kind="success">This request is genuine. A receiver that runs these checks accepts it.</Notice>
      ) : (
        <Notice kind="problem">
          {failed.length === 1 ? 'One check fails.' : `${failed.length} checks fail.`} {failed[0]?.name}:{' '}
          {failed[0]?.sentence}
        </Notice>
      )}
      <ul class="checks">
        {checks.map(({ name, outcome, sentence }) => (
          <li key={name}>
            <Badge kind={marks[outcome].kind}>{marks[outcome].word}</Badge>
            <div>
              <strong>{name}</strong>
              <span class="fine">{sentence}</span>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
