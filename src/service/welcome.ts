// What the console says once the service is ready: where it is, where mail arrives, what to try next. The
// demo's secrets are in it exactly once, in the answer of the first start.
import type { Config } from '../config/config.ts';
import type { DemoApplication, DemoWorkspace } from './demo-workspace.ts';

type Parts = {
  config: Config;
  dataDirectory: string | undefined;
  demo: DemoWorkspace | undefined;
  /** No company yet, and none was made. */
  isEmpty: boolean;
};

export function welcome({ config, dataDirectory, demo, isEmpty }: Parts): string {
  const lines = [
    '',
    `  Tollgate is ready at ${config.baseUrl}`,
    '',
    ...pairs([
      ...(config.isLoopback ? ([['Start', `${config.baseUrl}/`]] satisfies [string, string][]) : []),
      ['Issuer', config.baseUrl],
      ['Discovery', `${config.baseUrl}/.well-known/openid-configuration`],
      ['Mail', whereMailGoes(config)],
      ['Data', dataDirectory ?? 'PostgreSQL (DATABASE_URL)'],
    ]),
    '',
    ...(demo ? demoLines(demo) : []),
    '  Next',
    ...pairs(isEmpty ? [firstCompany, ...always] : [...(config.isLoopback ? [clickThrough] : []), ...always]),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

const firstCompany: [string, string] = ['npx tollgate workspace create --name ACME', 'your first company'];
const clickThrough: [string, string] = [
  'npm run demo',
  'in another terminal: a shop, a single-page app and a webhook receiver to click through',
];
const always: [string, string][] = [
  ['npx tollgate application list', 'applications and their balances'],
  ['npx tollgate member add --email you@example.com', 'a way into the pages at /settings, as an owner'],
  ['npx tollgate --help', 'everything else; commands work while the service runs'],
];

function whereMailGoes(config: Config): string {
  if (config.hasDevelopmentInbox) return `${config.baseUrl}/dev/inbox (development inbox: nothing is sent)`;
  if (config.smtpUrl === undefined) return 'nowhere: set SMTP_URL';
  return `sent through ${new URL(config.smtpUrl).host}`;
}

function demoLines(demo: DemoWorkspace): string[] {
  return [
    '  A demo company was made for you. Its secrets are shown now and never again:',
    '',
    ...demo.applications.flatMap((application) => [...applicationLines(application, demo.balance), '']),
    ...pairs([
      ['API key', demo.apiKey],
      ['Webhook', demo.webhook.url],
      ['Signing secret', demo.webhook.secret],
    ]),
    ...(demo.webhook.isPaused ? pausedLines(demo.webhook.id) : []),
    '',
  ];
}

/** Nothing is lost meanwhile: what happens while it is paused is delivered when it is resumed. */
function pausedLines(id: string): string[] {
  return [
    '    The webhook is paused, because it is on this machine. To send there: start with',
    `    WEBHOOK_ALLOW_LOOPBACK=on, then npx tollgate webhook resume ${id}`,
  ];
}

function applicationLines(application: DemoApplication, balance: string): string[] {
  return [
    `    ${application.name}, balance ${balance}, callback ${application.redirectUri}`,
    ...pairs([
      ['applicationId', application.applicationId],
      ['Client ID', application.clientId],
      ['Client Secret', application.clientSecret ?? 'none: a public client, PKCE only'],
    ]),
  ];
}

function pairs(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `    ${name.padEnd(width)}  ${value}`);
}
