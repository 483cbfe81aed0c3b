// The API keys of a workspace: what each may read, until when, and when and from where it was used
// last. A key itself is not here: only its beginning was kept.
import type { Context } from 'koa';
import { type ApiKeyRow, apiKeyStatus, listApiKeys } from '../../applications/api-key-list.ts';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { secondsAfter } from '../../clock.ts';
import { apiKeyEndingSoonSeconds, endedApiKeysShown } from '../../limits/api-keys.ts';
import { Badge, type BadgeProps } from '../../page/badge.tsx';
import { ButtonLink } from '../../page/button.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { nameApplications } from '../shell/application-choice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { createApiKeyChangeRoutes } from './change.tsx';
import { createNewApiKeyRoutes } from './new.tsx';

export function createApiKeyRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit) => {
    const [keys, applications] = await Promise.all([
      listApiKeys(deps.db, visit.workspace.id),
      listApplications(deps.db, visit.workspace.id),
    ]);
    const now = deps.clock();
    const { apiBaseUrl } = deps.config;
    ctx.body = renderPage(<ApiKeysPage {...{ visit, keys, applications, now, apiBaseUrl }} />);
  };
  return [
    { method: 'GET', path: '/api-keys', role: 'viewer', handle: show },
    ...createNewApiKeyRoutes(deps),
    ...createApiKeyChangeRoutes(deps),
  ];
}

type ApiKeysPageProps = {
  visit: MemberVisit;
  keys: ApiKeyRow[];
  applications: Application[];
  now: Date;
  apiBaseUrl: string;
};

function ApiKeysPage({ visit, keys, applications, now, apiBaseUrl }: ApiKeysPageProps) {
  const mayChange = isAtLeast(visit.member.role, 'developer');
  const newestFirst = keys.toReversed();
  const valid = newestFirst.filter((key) => apiKeyStatus(key, now) === 'valid');
  const ended = newestFirst.filter((key) => apiKeyStatus(key, now) !== 'valid').slice(0, endedApiKeysShown);
  return (
    <SettingsFrame
      visit={visit}
      section="api-keys"
      heading="API keys"
      lead="Your server uses an API key to read your customers and events."
      actions={
        mayChange && (
          <ButtonLink kind="primary" href={visit.path('/api-keys/new')}>
            Create API key
          </ButtonLink>
        )
      }
    >
      <Panel heading="Valid keys">
        {valid.length > 0 ? (
          <KeyTable caption="Valid keys" {...{ visit, keys: valid, applications, now, mayChange }} />
        ) : (
          <EmptyState heading="No valid API keys">
            <p>Create one for each server or job, so you can revoke one without affecting the others.</p>
          </EmptyState>
        )}
      </Panel>
      <Panel
        heading="Use it"
        lead={
          <>
            The <a href={`${apiBaseUrl}/docs`}>reference</a> lists every parameter and response.
          </>
        }
      >
        <Copyable label="Request" value={exampleRequest(apiBaseUrl, applications)} multiline />
      </Panel>
      {ended.length > 0 && (
        <Panel heading="Ended keys" lead="These keys no longer work.">
          <KeyTable caption="Ended keys" {...{ visit, keys: ended, applications, now, mayChange: false }} />
        </Panel>
      )}
    </SettingsFrame>
  );
}

function exampleRequest(apiBaseUrl: string, [first]: Application[]): string {
  return [
    `curl -H "Authorization: Bearer $API_KEY" \\`,
    `  "${apiBaseUrl}/applications/${first?.id ?? '<application>'}/customers?limit=10"`,
  ].join('\n');
}

type KeyTableProps = Omit<ApiKeysPageProps, 'apiBaseUrl'> & { caption: string; mayChange: boolean };

function KeyTable({ visit, keys, applications, now, caption, mayChange }: KeyTableProps) {
  const head = ['Name', 'Can read', 'Status', 'Last used', ...(mayChange ? [''] : [])];
  return (
    <DataTable caption={caption} head={head}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td>
            <strong>{key.name}</strong>
            <span class="fine">
              <code>{key.hint}…</code>
            </span>
          </td>
          <td>
            {nameApplications(applications, key.applicationIds)}
            <span class="fine">
              <code>{key.scopes.join(' ')}</code>
            </span>
          </td>
          <td>
            <Status apiKey={key} now={now} />
          </td>
          <td>
            {key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'Never'}
            {key.lastUsedIpAddress && <span class="fine">from {key.lastUsedIpAddress}</span>}
          </td>
          {mayChange && (
            <td>
              <div class="actions">
                <a href={visit.path(`/api-keys/${key.id}/rotate`)} aria-label={`Rotate ${key.name}`}>
                  Rotate
                </a>
                <a href={visit.path(`/api-keys/${key.id}/revoke`)} aria-label={`Revoke ${key.name}`}>
                  Revoke
                </a>
              </div>
            </td>
          )}
        </tr>
      ))}
    </DataTable>
  );
}

function Status({ apiKey, now }: { apiKey: ApiKeyRow; now: Date }) {
  const { expiresAt, revokedAt } = apiKey;
  if (revokedAt) {
    return (
      <>
        <Badge kind="bad">Revoked</Badge>
        <span class="fine">
          <Time at={revokedAt} />
        </span>
      </>
    );
  }
  if (!expiresAt) return <Badge kind="good">Valid, no end</Badge>;
  const { kind, word } = stateBefore(expiresAt, now);
  return (
    <>
      <Badge kind={kind}>{word}</Badge>
      <span class="fine">
        {word === 'Expired' ? '' : 'until '}
        <Time at={expiresAt} />
      </span>
    </>
  );
}

function stateBefore(expiresAt: Date, now: Date): { kind: BadgeProps['kind']; word: string } {
  if (expiresAt <= now) return { kind: 'neutral', word: 'Expired' };
  const endsSoon = expiresAt <= secondsAfter(now, apiKeyEndingSoonSeconds);
  return endsSoon ? { kind: 'warning', word: 'Ends soon' } : { kind: 'good', word: 'Valid' };
}
