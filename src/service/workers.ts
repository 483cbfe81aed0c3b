// What a process does besides answering requests: mails, webhook attempts, long work, housekeeping.
import { readFile } from 'node:fs/promises';
import { newId } from '../id.ts';
import { logoutTimeoutMilliseconds } from '../limits/webhooks.ts';
import { createLogoutTokens } from '../oidc/sessions/logout-token.ts';
import { createPaymentProvider } from '../payments/providers.ts';
import { createMailer } from '../queue/mail.ts';
import { measureAttempt, measureWebhooks } from '../telemetry/metrics-jobs.ts';
import type { Deliveries } from '../webhooks/attempt-loop.ts';
import { withdrawLeftOver } from '../webhooks/backlog.ts';
import { createDeliveryWorker } from '../webhooks/delivery.ts';
import { startDeliveries } from '../webhooks/delivery-loop.ts';
import { endpointRulesOf } from '../webhooks/endpoint-url.ts';
import { DELIVERIES } from '../webhooks/enqueue.ts';
import { createLogoutWorker } from '../webhooks/logout-delivery.ts';
import { startLogouts } from '../webhooks/logout-loop.ts';
import { LOGOUTS } from '../webhooks/logout-notice.ts';
import { createWebhookSender } from '../webhooks/sender.ts';
import { watchMoney } from './balance-watch.ts';
import { startHousekeeping } from './housekeeping.ts';
import { workKinds } from './long-work-kinds.ts';
import { startLongWork } from './long-work-loop.ts';
import { tellOfDisabledEndpoint } from './owner-mail.ts';
import type { Services } from './services.ts';

type OnDisabled = ReturnType<typeof tellOfDisabledEndpoint>;

/** @returns a function that ends what the job queue does not end by itself. */
export async function startWorkers(services: Services): Promise<() => Promise<void>> {
  const { config, clock, log } = services;
  const mailer = createMailer(services);
  await mailer.start();
  const onDisabled = tellOfDisabledEndpoint({ config, mailer, log });
  const extraCa = await readExtraCa(services);
  const deliveries = await startOwnDeliveries(services, { onDisabled, extraCa });
  const logouts = await startOwnLogouts(services, extraCa);
  const stopHousekeeping = startHousekeeping({ ...services, onDisabled });
  const stopLongWork = startLongWork({ ...services, kinds: workKinds });
  const payments = createPaymentProvider(config, clock);
  const stopWatching = watchMoney({ ...services, mailer, payments });
  return async () => {
    await Promise.all([
      deliveries.stop(),
      logouts.stop(),
      stopWatching(),
      stopLongWork(),
      stopHousekeeping(),
    ]);
  };
}

/** Authorities besides those that Node trusts, of companies' own endpoints. */
export async function readExtraCa({ config }: Pick<Services, 'config'>): Promise<string | undefined> {
  return config.webhookCaFile ? readFile(config.webhookCaFile, 'utf8') : undefined;
}

async function startOwnDeliveries(
  services: Services,
  { onDisabled, extraCa }: { onDisabled: OnDisabled; extraCa: string | undefined },
): Promise<Deliveries> {
  const { config, db, jobs, clock, metrics, tracing } = services;
  const send = createWebhookSender({ rules: endpointRulesOf(config), extraCa });
  const measure = measureWebhooks(metrics, tracing.annotate);
  const attempt = createDeliveryWorker({ ...services, send, onDisabled, measure });
  const deliveries = startDeliveries({
    ...services,
    owner: newId('wrk'),
    attempt: measureAttempt(attempt, metrics, tracing),
    onLeftOver: (subscriptionIds) => withdrawLeftOver(db, subscriptionIds, clock()),
  });
  await jobs.onNotified(DELIVERIES, deliveries.wake);
  return deliveries;
}

async function startOwnLogouts(services: Services, extraCa: string | undefined): Promise<Deliveries> {
  const send = createWebhookSender({
    rules: endpointRulesOf(services.config),
    extraCa,
    timeoutMilliseconds: logoutTimeoutMilliseconds,
  });
  const makeToken = createLogoutTokens(services);
  const attempt = createLogoutWorker({ ...services, send, makeToken });
  const logouts = startLogouts({ ...services, owner: newId('wrk'), attempt });
  await services.jobs.onNotified(LOGOUTS, logouts.wake);
  return logouts;
}
