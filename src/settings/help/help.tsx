// Where to read on: how an application is connected, webhooks received, customers read, and a failed sign-in looked into;
// and the addresses that libraries ask for.
import type { ComponentChildren } from 'preact';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { Icon, type IconName } from '../../page/icon.tsx';
import { Panel } from '../../page/panel.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';

export function createHelpRoutes({ config }: Pick<SettingsDependencies, 'config'>): SettingsRoute[] {
  return [
    {
      method: 'GET',
      path: '/help',
      role: 'viewer',
      async handle(ctx, visit) {
        ctx.body = renderPage(<HelpPage visit={visit} {...config} />);
      },
    },
  ];
}

type HelpPageProps = { visit: MemberVisit; baseUrl: string; apiBaseUrl: string };

function HelpPage({ visit, baseUrl, apiBaseUrl }: HelpPageProps) {
  return (
    <SettingsFrame
      visit={visit}
      section="help"
      heading="Documentation"
      lead="How to connect your service, and where to look when something does not work."
    >
      <div class="guides">
        <Guide icon="applications" heading="Let people sign in">
          <p class="fine">
            Create an application, then copy the code for your stack from its page. Any OpenID Connect library
            works.
          </p>
          <Links visit={visit} links={[['Your applications', '/applications']]} />
        </Guide>
        <Guide icon="webhooks" heading="Receive webhooks">
          <p class="fine">
            Subscribe an HTTPS endpoint and verify each signature. You can paste a request that you received
            and see whether it is genuine.
          </p>
          <Links
            visit={visit}
            links={[
              ['Your endpoints', '/webhooks'],
              ['Check a received request', '/webhooks/check'],
            ]}
          />
        </Guide>
        <Guide icon="api-keys" heading="Read customers and events">
          <p class="fine">The API lists your customers and every charged sign-in, for your own backend.</p>
          <ul>
            <li>
              <a href={visit.apiReference}>API reference</a>
            </li>
            <li>
              <a href={visit.path('/api-keys')}>Your API keys</a>
            </li>
          </ul>
        </Guide>
        <Guide icon="help" heading="Find out why a sign-in failed">
          <p class="fine">
            Each failed sign-in has a reason and what to do about it. Search by the trace from the error page,
            or by an event.
          </p>
          <Links
            visit={visit}
            links={[
              ['Failures by reason', '/usage'],
              ['Find a sign-in', '/usage/traces'],
            ]}
          />
        </Guide>
      </div>
      <Panel
        heading="Addresses"
        lead="What libraries and tools ask for. They are the same for all applications."
      >
        <Copyable label="Issuer" value={baseUrl} />
        <Copyable label="Discovery document" value={`${baseUrl}/.well-known/openid-configuration`} />
        <Copyable label="API" value={apiBaseUrl} />
        <Copyable label="OpenAPI document" value={`${apiBaseUrl}/openapi.json`} />
      </Panel>
    </SettingsFrame>
  );
}

type GuideProps = { icon: IconName; heading: string; children: ComponentChildren };

function Guide({ icon, heading, children }: GuideProps) {
  return (
    <section class="guide">
      <Icon name={icon} />
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

function Links({ visit, links }: { visit: MemberVisit; links: [label: string, rest: string][] }) {
  return (
    <ul>
      {links.map(([label, rest]) => (
        <li key={rest}>
          <a href={visit.path(rest)}>{label}</a>
        </li>
      ))}
    </ul>
  );
}
