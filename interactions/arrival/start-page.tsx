// What {base_url} shows on one's own machine: where everything is, whether the stores answer, what to try next, and the
// way to become owner of the company that the first start made.
import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';
import { FIRST_PARTY_NAME, firstPartyClients } from '../../src/first-party/clients.ts';
import { Badge } from '../../src/page/badge.tsx';
import { Button, Form } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { EmailField } from '../../src/page/field.tsx';
import { WidePage } from '../../src/page/layout.tsx';
import { Panel } from '../../src/page/panel.tsx';

export type StoreState = { ok: boolean; milliseconds?: number; reason?: string };

type Claim = { company: string; path: string; token: string; problem: string | undefined };

type StartPage = {
  config: Pick<
    Config,
    'baseUrl' | 'apiBaseUrl' | 'hasDevelopmentInbox' | 'databaseUrl' | 'redisUrl' | 'dataDir'
  >;
  checks: Record<string, StoreState>;
  /** Of the company that nobody owns yet. */
  claim: Claim | undefined;
};

export function showStartPage(ctx: Context, page: StartPage): void {
  ctx.type = 'html';
  ctx.body = renderPage(
    <WidePage
      language="en"
      title={FIRST_PARTY_NAME}
      heading={`${FIRST_PARTY_NAME} is running`}
      lead="This page is shown on your own machine only. In production people find a front door here."
    >
      {page.claim && <ClaimPanel {...page.claim} />}
      <Places {...page} />
      <Commands />
      <Stores {...page} />
    </WidePage>,
  );
}

function ClaimPanel({ company, path, token, problem }: Claim) {
  return (
    <Panel
      heading={`Become the owner of ${company}`}
      lead="Nobody owns it yet: its applications, keys, webhooks and balances are looked after in company settings. Any address does, because the code that proves it arrives in the development inbox."
    >
      <Form action={path} token={token} label={`Become the owner of ${company}`}>
        <EmailField label="Email address" name="email" problem={problem} required />
        <Button>Continue</Button>
      </Form>
    </Panel>
  );
}

function Places({ config }: StartPage) {
  const places: [href: string, name: string, about: string][] = [
    [firstPartyClients.settings.path, 'Company settings', 'Applications, keys, webhooks, balance, usage'],
    [firstPartyClients.account.path, 'Your account', 'What a person sees and changes'],
    ...(config.hasDevelopmentInbox
      ? [
          ['/dev/inbox', 'Development inbox', 'Every mail, and every code in it'] satisfies [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['/docs', 'Documentation', 'From an application to people signing in, and everything behind it'],
    [`${config.apiBaseUrl}/docs`, 'API reference', 'Customers and events, with examples to run'],
    ['/.well-known/openid-configuration', 'Discovery', 'What OpenID Connect libraries read first'],
    [`${config.apiBaseUrl}/openapi.json`, 'OpenAPI document', 'The customer-data API for tools'],
  ];
  return (
    <nav class="cards" aria-label="Pages of this service">
      {places.map(([href, name, about]) => (
        <a class="tile" href={href} key={href}>
          <span class="tile-head">{name}</span>
          <span class="fine">{about}</span>
        </a>
      ))}
    </nav>
  );
}

const commands: [command: string, about: string][] = [
  ['npm run demo', 'A shop, a single-page app and a webhook receiver to click through'],
  ['npx tollgate application list', 'Applications and their balances'],
  [
    'npx tollgate application create --test --name Shop --callback https://localhost:4443/callback --post-logout https://localhost:4443/',
    'An application of your own, in test mode',
  ],
  ['npx tollgate local-https 4443 --to 3001', 'HTTPS for it, while it speaks plain http on port 3001'],
  ['npx tollgate member add --email you@example.com', 'A way into company settings, as an owner'],
  [
    'npx tollgate listen --forward http://localhost:4003/webhooks',
    'Webhooks to your own machine, with an API key in TOLLGATE_API_KEY',
  ],
  ['npx tollgate doctor', 'What is wrong with settings, stores, mail and keys'],
  ['npx tollgate --help', 'Everything else'],
];

function Commands() {
  return (
    <Panel heading="Try this" lead="In the folder where the service was started, in another terminal.">
      <Facts facts={commands.map(([command, about]) => [about, <code key={command}>{command}</code>])} />
    </Panel>
  );
}

function Stores({ config, checks }: StartPage) {
  const { database, redis } = checks;
  return (
    <Panel heading="Where everything is kept">
      <Facts
        facts={[
          ['Issuer', <code key="issuer">{config.baseUrl}</code>],
          [
            config.databaseUrl ? 'PostgreSQL' : 'Embedded database',
            <State key="database" state={database} also={config.databaseUrl ? undefined : config.dataDir} />,
          ],
          [
            'Redis',
            redis ? (
              <State key="redis" state={redis} also={undefined} />
            ) : (
              'not used: REDIS_URL is not set, so the database keeps what expires'
            ),
          ],
          ['Mail', config.hasDevelopmentInbox ? 'kept in the development inbox' : 'sent (SMTP_URL)'],
        ]}
      />
    </Panel>
  );
}

function State({ state, also }: { state: StoreState | undefined; also: string | undefined }) {
  const words = state?.ok ? `answers in ${state.milliseconds ?? 0} ms` : `does not answer (${state?.reason})`;
  return (
    <>
      <Badge kind={state?.ok ? 'good' : 'bad'}>{words}</Badge> {also && <code>{also}</code>}
    </>
  );
}
