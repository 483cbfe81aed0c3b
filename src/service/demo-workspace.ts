// What a newcomer finds after the first start of the embedded service: a company with one application of each
// kind, money on both, an API key and a webhook subscription, all on loopback addresses.
import { API_KEY_SCOPES, createApiKey } from '../applications/api-key.ts';
import { createApplication, type NewApplication } from '../applications/application.ts';
import { createWorkspace, listWorkspaces } from '../applications/workspace.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { type Database, transaction } from '../database/connection.ts';
import { topUp } from '../ledger/balance.ts';
import { formatAmount } from '../money.ts';
import type { Keys } from '../secrets.ts';
import { createSubscription, pauseSubscription } from '../webhooks/subscription.ts';

export type DemoApplication = {
  name: string;
  applicationId: string;
  clientId: string;
  clientSecret?: string;
  redirectUri: string;
};

/** The secrets in it exist nowhere else: whoever receives this shows it once or loses it. */
export type DemoWorkspace = {
  applications: DemoApplication[];
  balance: string;
  apiKey: string;
  webhook: { id: string; url: string; secret: string; isPaused: boolean };
};

const startBalance = 10_000_000n;
const webhookUrl = 'https://localhost:4003/webhooks';
type Template = Omit<NewApplication, 'workspaceId' | 'now'>;
const backend: Template = {
  name: 'Demo shop',
  clientType: 'confidential',
  redirectUris: ['https://localhost:4001/callback'],
  postLogoutRedirectUris: ['https://localhost:4001/'],
};
const singlePage: Template = {
  name: 'Demo single-page app',
  clientType: 'public',
  redirectUris: ['https://localhost:4002/callback.html'],
  postLogoutRedirectUris: ['https://localhost:4002/'],
};

type Parts = {
  db: Database;
  keys: Keys;
  clock: Clock;
  config: Pick<Config, 'currency' | 'registrationPrice' | 'signInPrice' | 'webhookAllowLoopback'>;
};

/** All of it or nothing, and nothing as soon as any company exists. */
export async function createDemoWorkspace({
  db,
  keys,
  clock,
  config,
}: Parts): Promise<DemoWorkspace | undefined> {
  return transaction(db, async (tx) => {
    if ((await listWorkspaces(tx)).length > 0) return undefined;
    const now = clock();
    const { currency, registrationPrice, signInPrice } = config;
    const workspace = await createWorkspace(tx, {
      name: 'Demo company',
      currency,
      registrationPrice,
      signInPrice,
      now,
    });
    const base = { workspaceId: workspace.id, now };
    const applications = [
      await createDemoApplication(tx, { ...base, ...backend }),
      await createDemoApplication(tx, { ...base, ...singlePage }),
    ];
    const { key } = await createApiKey(tx, { ...base, name: 'Demo key', scopes: API_KEY_SCOPES });
    // Made even where loopback receivers are off, because that is where this one is; then it waits, paused,
    // instead of failing delivery after delivery against a rule of our own.
    const { id, secret } = await createSubscription(tx, {
      ...base,
      keys,
      url: webhookUrl,
      allowLoopback: true,
    });
    const isPaused = !config.webhookAllowLoopback;
    if (isPaused) await pauseSubscription(tx, { workspaceId: workspace.id, subscriptionId: id });
    return {
      applications,
      balance: `${formatAmount(startBalance).replace(/0{4}$/, '')} ${currency}`,
      apiKey: key,
      webhook: { id, url: webhookUrl, secret, isPaused },
    };
  });
}

async function createDemoApplication(tx: Database, input: NewApplication): Promise<DemoApplication> {
  const { application, clientSecret } = await createApplication(tx, input);
  await topUp(tx, {
    applicationId: application.id,
    amount: startBalance,
    reference: `demo-${application.id}`,
    reason: 'Start balance of the demo',
    now: input.now,
  });
  return {
    name: application.name,
    applicationId: application.id,
    clientId: application.clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    redirectUri: application.redirectUris[0] ?? '',
  };
}
