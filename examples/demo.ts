// `npm run demo`: the service, a backend application, a single-page application and a webhook receiver, connected
// and ready to be clicked through. Everything it keeps is in examples/data; delete that to begin anew.
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { type Config, readConfig } from '../src/config/config.ts';
import { TollgateError } from '../src/errors.ts';
import { createLog } from '../src/log.ts';
import { serveOperator } from '../src/operator/socket.ts';
import { createTollgate } from '../src/tollgate.ts';
import { startOpenIdStandIn } from '../test/hosted-pages/social-stand-ins/openid.ts';
import { type Certificate, keepCertificate } from './certificate.ts';
import { type Addresses, type Company, openCompany } from './demo-company.ts';
import { joinAsOwner, OWNER } from './demo-owner.ts';
import { startRelyingParty } from './relying-party.ts';
import { startSinglePageApp } from './single-page-app/server.ts';
import { openFileStore, startWebhookReceiver, type WebhookEvent } from './webhook-receiver.ts';

export type DemoOptions = {
  directory: string;
  /** Of the service; the other three follow the addresses that the applications are registered with. */
  port?: number;
  ports?: { shop: number; singlePage: number; receiver: number };
  logLevel?: string;
  /** A stand-in for Google on this machine: sign-in with a social provider can be clicked through as well. */
  social?: boolean;
  print?: (line: string) => void;
};
type Closing = () => Promise<unknown>;
export type Demo = Addresses & { issuer: string; inbox: string; settings: string; stop(): Promise<void> };

const USUAL_PORT = 4080;
const usualPorts = { shop: 4001, singlePage: 4002, receiver: 4003 };

export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { shop, singlePage, receiver } = options.ports ?? usualPorts;
  const addresses = {
    shop: `https://localhost:${shop}`,
    singlePage: `https://localhost:${singlePage}`,
    receiver: `https://localhost:${receiver}`,
  };
  const running: Closing[] = [];
  const stop = async () => {
    for (const close of running.splice(0).reverse()) await close();
  };
  try {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const certificate = await keepCertificate(join(options.directory, 'certificate'));
    const { config, operator } = await startService({ ...options, caFile: certificate.caFile, running });
    const file = join(options.directory, 'company.json');
    const company = await openCompany({ operator, file, addresses });
    await joinAsOwner({ operator, issuer: config.baseUrl, workspaceId: company.workspaceId });
    await startApplications({ ...options, config, company, addresses, certificate, running });
    const inbox = `${config.baseUrl}/dev/inbox`;
    const settings = `${config.baseUrl}/settings/${company.workspaceId}`;
    return { ...addresses, issuer: config.baseUrl, inbox, settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startService(options: DemoOptions & { caFile: string; running: Closing[] }) {
  const { directory, port = USUAL_PORT, logLevel = 'warn', caFile, running } = options;
  const google = options.social ? await startGoogleStandIn(port, running) : {};
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: join(directory, 'service'),
    LOG_LEVEL: logLevel,
    // Both are for receivers on this machine, and off by default.
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    WEBHOOK_CA_FILE: caFile,
    ...google,
  });
  const log = createLog({ level: config.logLevel });
  const tollgate = await createTollgate({ config, log });
  running.push(tollgate.stop);
  await tollgate.listen();
  const { operator } = tollgate;
  // For `npx tollgate …` while the demo runs.
  const socket = await serveOperator({ dataDirectory: resolve(config.dataDir), operator, log });
  running.push(socket.close);
  return { config, operator };
}

/** @returns the variables that switch sign-in with it on. */
async function startGoogleStandIn(port: number, running: Closing[]): Promise<Record<string, string>> {
  const client = { clientId: 'demo', clientSecret: 'demo-secret' };
  const redirectUri = `http://localhost:${port}/social/google/callback`;
  const standIn = await startOpenIdStandIn({ dialect: 'google', ...client, redirectUri });
  running.push(standIn.stop);
  const claims = { email: 'ada@mail.example', email_verified: true, name: 'Ada Lovelace' };
  standIn.person = { sub: '110169484474386276334', claims };
  return {
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.clientSecret,
    GOOGLE_ISSUER: standIn.issuer,
  };
}

type Applications = Pick<DemoOptions, 'directory' | 'print'> & {
  config: Config;
  company: Company;
  addresses: Addresses;
  certificate: Certificate;
  running: Closing[];
};

async function startApplications(options: Applications): Promise<void> {
  const { config, company, addresses, certificate: tls, running, print = console.log } = options;
  const { baseUrl: issuer, apiBaseUrl } = config;
  const { webhookSecret: secret, apiKey } = company;
  const webhooks = await openWebhookFile(join(options.directory, 'webhooks.ndjson'));
  const port = (address: string) => Number(new URL(address).port);

  const receiver = await startWebhookReceiver({
    secret,
    port: port(addresses.receiver),
    tls,
    save: webhooks.save,
    print: (line) => print(`  webhook ${line}`),
  });
  running.push(receiver.close);
  const shop = await startRelyingParty({
    issuer,
    ...company.shop,
    port: port(addresses.shop),
    tls,
    apiBaseUrl,
    apiKey,
    hasWebhook: webhooks.has,
  });
  running.push(shop.close);
  const { clientId } = company.singlePage;
  const singlePage = await startSinglePageApp({ issuer, clientId, port: port(addresses.singlePage), tls });
  running.push(singlePage.close);
}

/** Remembers across restarts what was received, so that the shop can say so. */
async function openWebhookFile(path: string) {
  const earlier = await readFile(path, 'utf8').catch(() => '');
  const ids = new Set<string>();
  for (const line of earlier.split('\n').filter(Boolean)) ids.add(String(JSON.parse(line).id));
  const store = await openFileStore(path);
  return {
    has: (id: string) => ids.has(id),
    async save(event: WebhookEvent): Promise<boolean> {
      const isNew = await store(event);
      ids.add(event.id);
      return isNew;
    },
  };
}

function guide({ issuer, inbox, settings, shop, singlePage, receiver }: Demo, dataDir: string): string {
  return `
  Tollgate demo

    Service            ${issuer}
    Inbox              ${inbox}  (every mail arrives here)
    Company settings   ${settings}
                       (${OWNER} owns the demo company)
    Shop               ${shop}  (a backend with openid-client)
    Single-page app    ${singlePage}  (a public client with oidc-client-ts)
    Webhook receiver   ${receiver}  (what it verifies appears below)

  Shop and single-page app have a certificate made on this machine: the browser asks once whether that is fine.

  Try this
    1. Open the shop and press "Create an account". Any address does: ada@example.com.
    2. Fetch the code from the inbox, type it in, agree to what the shop will see.
    3. You are back and signed in: your claims, the price of a registration, and its webhook, verified.
    4. Press "Sign in again": no questions this time, and the price of a sign-in.
    5. Log out. Then try the single-page app with the same address: the same person under another sub.

  And as the company
    6. Open the company settings in a private window and sign in as ${OWNER}.
    7. Usage: the sign-ins of just now, what each cost, and each attempt step by step.
    8. Applications, Demo shop: the code to connect one of your own, its balance, and "Try it", which is free.
    9. Webhooks: the deliveries that you saw below, with what was sent and answered.

  With "npm run demo -- --social" a stand-in for Google runs beside it, and the sign-in page has its button.

  Commands work while it runs:   DATA_DIR=${dataDir} npx tollgate application list
  Ctrl-C stops everything. What it keeps is in ${relative('', join(dataDir, '..'))}; delete that to begin anew.
`;
}

/** A service that was started before goes on running: the demo has its own data, and needs only another port. */
async function freePortFrom(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 10; port += 1) if (await isFree(port)) return port;
  return wanted;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function explained(error: unknown): unknown {
  if (error instanceof TollgateError) return `\n  ${error.description}\n`;
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  const port = 'port' in error ? Number(error.port) : undefined;
  const [name = 'service'] = Object.entries(usualPorts).find(([, usual]) => usual === port) ?? [];
  return `\n  Port ${port ?? '?'} (${name}) is taken by another program, perhaps a demo that runs already. Stop that one first.\n`;
}

async function runDemo(): Promise<void> {
  const directory = join(import.meta.dirname, 'data');
  const { PORT, LOG_LEVEL } = process.env;
  const port = Number(PORT || USUAL_PORT);
  const free = await freePortFrom(port);
  if (free !== port)
    console.log(
      `\n  Port ${port} is taken, perhaps by your own Tollgate. The demo has one of its own, at ${free}.`,
    );
  const demo = await startDemo({
    directory,
    port: free,
    ...(LOG_LEVEL && { logLevel: LOG_LEVEL }),
    social: process.argv.includes('--social'),
  });
  console.log(guide(demo, relative('', join(directory, 'service'))));
  // npm passes on the terminal's Ctrl-C, so it arrives twice; the second must not cut the first short.
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      demo.stop().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): void {
  console.error(explained(error));
  process.exit(1);
}

if (import.meta.main) runDemo().catch(fail);
