// What a developer takes to their own code: Client ID, secrets, and a snippet for their stack that works as it stands.
// The stack is a link, so it needs no script and can be bookmarked.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import {
  type ClientSecretRow,
  isLiveSecret,
  listClientSecrets,
} from '../../applications/client-secret-list.ts';
import { isAtLeast } from '../../applications/member.ts';
import { liveClientSecretsPerApplication } from '../../limits/applications.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, Form } from '../../page/button.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { SnippetPanel } from './snippet.tsx';
import { defaultStack, isStackFor, type StackName } from './snippets.ts';
import { applicationOf } from './visit.ts';

export function createCredentialRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    await showCredentials(ctx, deps, { visit, application, stack: request.query.stack });
  };
  return [{ method: 'GET', path: '/applications/:application/credentials', role: 'viewer', handle: show }];
}

export type Shown = {
  visit: MemberVisit;
  application: Application;
  stack?: string | undefined;
  problem?: string | undefined;
};

export async function showCredentials(
  ctx: Context,
  deps: SettingsDependencies,
  { visit, application, stack, problem }: Shown,
): Promise<void> {
  const { clientType } = application;
  ctx.body = renderPage(
    <CredentialsPage
      visit={visit}
      application={application}
      issuer={deps.config.baseUrl}
      stack={isStackFor(clientType, stack) ? stack : defaultStack(clientType)}
      secrets={await listClientSecrets(deps.db, application.id)}
      now={deps.clock()}
      problem={problem}
    />,
  );
}

type CredentialsPageProps = {
  visit: MemberVisit;
  application: Application;
  issuer: string;
  stack: StackName;
  secrets: ClientSecretRow[];
  now: Date;
  problem: string | undefined;
};

function CredentialsPage({ visit, application, issuer, stack, secrets, now, problem }: CredentialsPageProps) {
  const isConfidential = application.clientType === 'confidential';
  return (
    <ApplicationFrame visit={visit} application={application} tab="credentials" problem={problem}>
      <Panel heading="Identifiers" lead="Neither of these is a secret.">
        <Copyable label="Client ID" value={application.clientId} />
        <Copyable label="Issuer" value={issuer} />
      </Panel>
      {isConfidential && <SecretsPanel visit={visit} application={application} secrets={secrets} now={now} />}
      {!isConfidential && (
        <Panel
          heading="No Client Secret"
          lead="A public application runs in browsers, which can’t keep a secret. PKCE protects each sign-in instead."
        />
      )}
      {application.isService ? (
        <ServicePanel application={application} issuer={issuer} />
      ) : (
        <SnippetPanel visit={visit} application={application} issuer={issuer} stack={stack} />
      )}
    </ApplicationFrame>
  );
}

function ServicePanel({ application, issuer }: Pick<CredentialsPageProps, 'application' | 'issuer'>) {
  const request = [
    `curl -u "${application.clientId}:$TOLLGATE_CLIENT_SECRET" ${issuer}/oauth/token`,
    '-d grant_type=client_credentials',
    '-d resource=https://api.shop.example',
    '-d scope=orders:read',
  ].join(' \\\n  ');
  return (
    <Panel
      heading="Get a token"
      lead="With the identifier of an API that this service is chosen for, and the scopes it needs there."
    >
      <Copyable label="Token request" value={request} multiline />
    </Panel>
  );
}

type SecretsProps = Pick<CredentialsPageProps, 'visit' | 'application' | 'secrets' | 'now'>;

function SecretsPanel({ visit, application, secrets, now }: SecretsProps) {
  const mayChange = isAtLeast(visit.member.role, 'developer');
  const live = secrets.filter((secret) => isLiveSecret(secret, now));
  const rest = applicationRest(application, '/secrets');
  return (
    <Panel
      heading="Client Secrets"
      lead="To rotate without downtime, create a second secret, deploy it to your backend, then expire the old one. Until then both work."
      actions={
        mayChange &&
        live.length < liveClientSecretsPerApplication && (
          <Form action={visit.path(rest)} token={visit.token(rest)} label="Create a Client Secret">
            <Button kind="secondary">Create a secret</Button>
          </Form>
        )
      }
    >
      <DataTable
        caption="Client Secrets"
        head={['Secret', 'State', 'Created', 'Last used', ...(mayChange ? [''] : [])]}
      >
        {secrets.map((secret) => (
          <tr key={secret.id}>
            <td>
              <code>…{secret.hint}</code>
            </td>
            <td>
              <SecretState secret={secret} now={now} />
            </td>
            <td>
              <Time at={secret.createdAt} />
            </td>
            <td>{secret.lastUsedAt ? <Time at={secret.lastUsedAt} /> : 'Never'}</td>
            {mayChange && (
              <td>
                {isLiveSecret(secret, now) && (
                  <a
                    href={applicationPath(visit, application, `/secrets/${secret.id}/expire`)}
                    aria-label={`Expire the secret ending in ${secret.hint}`}
                  >
                    Expire
                  </a>
                )}
              </td>
            )}
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}

function SecretState({ secret, now }: { secret: ClientSecretRow; now: Date }) {
  if (!isLiveSecret(secret, now)) return <Badge kind="neutral">Expired</Badge>;
  if (!secret.expiresAt) return <Badge kind="good">Works</Badge>;
  return (
    <>
      <Badge kind="warning">Expires</Badge>{' '}
      <span class="fine">
        <Time at={secret.expiresAt} />
      </span>
    </>
  );
}
