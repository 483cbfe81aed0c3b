// The end of an API key: replaced by a new one with a time in which both work, or revoked at once. No
// process keeps a key in memory, so what is decided here holds everywhere from the next request on.
import type { Context } from 'koa';
import { revokeApiKey, rotateApiKey } from '../../applications/api-key.ts';
import { type ApiKeyRow, requireLiveApiKey } from '../../applications/api-key-list.ts';
import { secondsAfter } from '../../clock.ts';
import { TollgateError } from '../../errors.ts';
import type { FormFields } from '../../http/form.ts';
import { apiKeyOverlapSeconds } from '../../limits/api-keys.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { readableTime } from '../../page/time.tsx';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApiKeyExpiryFields, readApiKeyExpiry } from './expiry.tsx';

const ROTATE = '/api-keys/:key/rotate';
const REVOKE = '/api-keys/:key/revoke';

export function createApiKeyChangeRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const find = (visit: MemberVisit, { params }: SettingsRequest) => {
    const { id: workspaceId } = visit.workspace;
    return requireLiveApiKey(deps.db, { id: params.key ?? '', workspaceId, now: deps.clock() });
  };
  const askRotate = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const apiKey = await find(visit, request);
    ctx.body = renderPage(<RotatePage visit={visit} apiKey={apiKey} fields={{}} />);
  };
  const rotate = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const apiKey = await find(visit, request);
    const { fields } = request;
    const refuse = (status: number, problem: { page: string; expires?: string }) => {
      ctx.status = status;
      ctx.body = renderPage(<RotatePage visit={visit} apiKey={apiKey} fields={fields} problem={problem} />);
    };
    const expiry = readApiKeyExpiry(fields, deps.clock());
    const overlapSeconds = apiKeyOverlapSeconds.find((each) => String(each) === fields.overlap);
    if ('problem' in expiry || overlapSeconds === undefined) {
      const expires = 'problem' in expiry ? { expires: expiry.problem } : {};
      return refuse(400, { page: 'No key was created. Check the problems below.', ...expires });
    }
    const which = { id: apiKey.id, workspaceId: visit.workspace.id };
    const { expiresAt } = expiry;
    try {
      const { key, endsAt } = await audited(deps, visit, {
        action: 'api_key.rotated',
        target: apiKey.id,
        detail: { name: apiKey.name, overlapSeconds },
        async make(tx, now) {
          const made = await rotateApiKey(tx, { ...which, overlapSeconds, expiresAt, now });
          return { ...made, endsAt: secondsAfter(now, overlapSeconds) };
        },
      });
      const old = `the old key ${apiKey.hint}…`;
      redirectTo(ctx, deps, visit, '/api-keys', {
        notice:
          overlapSeconds === 0
            ? `The new key works now. ${old} no longer works.`
            : `The new key works now. ${old} works until ${readableTime(endsAt)}.`,
        secrets: [{ label: 'API key', value: key }],
      });
    } catch (error) {
      if (!(error instanceof TollgateError && error.code === 'conflict')) throw error;
      refuse(error.status, { page: error.description });
    }
  };
  const askRevoke = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    ctx.body = renderPage(<RevokePage visit={visit} apiKey={await find(visit, request)} />);
  };
  const revoke = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, name, hint } = await find(visit, request);
    await audited(deps, visit, {
      action: 'api_key.revoked',
      target: id,
      detail: { name, hint },
      async make(tx, now) {
        if (await revokeApiKey(tx, { id, workspaceId: visit.workspace.id, now })) return;
        throw new TollgateError('not_found', 'That API key does not exist or no longer works.');
      },
    });
    redirectTo(ctx, deps, visit, '/api-keys', { notice: `The API key “${name}” has been revoked.` });
  };
  return [
    { method: 'GET', path: ROTATE, role: 'developer', fresh: true, handle: askRotate },
    { method: 'POST', path: ROTATE, role: 'developer', fresh: true, handle: rotate },
    // Not fresh: whoever sees a key leak must not have to look for a password first.
    { method: 'GET', path: REVOKE, role: 'developer', handle: askRevoke },
    { method: 'POST', path: REVOKE, role: 'developer', handle: revoke },
  ];
}

type PageProps = { visit: MemberVisit; apiKey: ApiKeyRow };

function overlapLabel(seconds: number): string {
  if (seconds === 0) return 'Stop now: it leaked';
  const hours = seconds / 3600;
  if (hours === 1) return '1 hour';
  return hours <= 24 ? `${hours} hours` : `${hours / 24} days`;
}

function RotatePage({
  visit,
  apiKey,
  fields,
  problem,
}: PageProps & { fields: FormFields; problem?: { page: string; expires?: string } }) {
  const rest = `/api-keys/${apiKey.id}/rotate`;
  return (
    <SettingsFrame
      visit={visit}
      section="api-keys"
      heading={`Rotate “${apiKey.name}”`}
      lead="You get a new key with the same access. Deploy it to your servers while the old one still works."
      crumbs={[{ label: 'API keys', path: visit.path('/api-keys') }]}
      problem={problem?.page}
    >
      <section class="panel">
        <Uses apiKey={apiKey} />
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <SelectField
            name="overlap"
            label="The old key works for another"
            value={fields.overlap ?? '86400'}
            options={apiKeyOverlapSeconds.map((each) => ({ value: String(each), label: overlapLabel(each) }))}
            hint={
              apiKey.expiresAt ? `It expires on ${readableTime(apiKey.expiresAt)} in any case.` : undefined
            }
          />
          <ApiKeyExpiryFields label="The new key works for" fields={fields} problem={problem?.expires} />
          <FormActions cancel={visit.path('/api-keys')}>Create the new key</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}

function RevokePage({ visit, apiKey }: PageProps) {
  const rest = `/api-keys/${apiKey.id}/revoke`;
  return (
    <SettingsFrame
      visit={visit}
      section="api-keys"
      heading={`Revoke “${apiKey.name}”`}
      lead="It stops working immediately, everywhere. This cannot be undone."
      crumbs={[{ label: 'API keys', path: visit.path('/api-keys') }]}
    >
      <section class="panel panel-danger">
        <Uses apiKey={apiKey} />
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <FormActions kind="final" cancel={visit.path('/api-keys')}>
            Revoke key
          </FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}

/** Whether somebody would miss it. */
function Uses({ apiKey: { hint, lastUsedAt, lastUsedIpAddress } }: { apiKey: ApiKeyRow }) {
  const used =
    lastUsedAt && `${readableTime(lastUsedAt)}${lastUsedIpAddress ? ` from ${lastUsedIpAddress}` : ''}`;
  return (
    <Facts
      facts={[
        ['Key', <code key="key">{hint}…</code>],
        ['Last used', used ?? 'Never'],
      ]}
    />
  );
}
