// What a process does besides answering requests: mails, webhook attempts, long work, housekeeping.
import { readFile } from 'node:fs/promises';
import { newId } from '../id.ts';
import { createPaymentProvider } from '../payments/providers.ts';
import { createMailer } from '../queue/mail.ts';
import { measureAttempt, measureWebhooks } from '../telemetry/metrics-jobs.ts';
import { endpointRulesOf } from '../webhooks/endpoint-url.ts';
import { withdrawLeftOver } from '../webhooks/backlog.ts';
import { createDeliveryWorker } from '../webhooks/delivery.ts';
import { type Deliveries, startDeliveries } from '../webhooks/delivery-loop.ts';
import { DELIVERIES } from '../webhooks/enqueue.ts';
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
  const deliveries = await startOwnDeliveries(services, onDisabled);
  const stopHousekeeping = startHousekeeping({ ...services, onDisabled });
  const stopLongWork = startLongWork({ ...services, kinds: workKinds });
  const payments = createPaymentProvider(config, clock);
  const stopWatching = watchMoney({ ...services, mailer, payments });
  return async () => {
    await Promise.all([deliveries.stop(), stopWatching(), stopLongWork(), stopHousekeeping()]);
  };
}

async function startOwnDeliveries(services: Services, onDisabled: OnDisabled): Promise<Deliveries> {
  const { config, db, jobs, clock, metrics, tracing } = services;
  const extraCa = config.webhookCaFile ? await readFile(config.webhookCaFile, 'utf8') : undefined;
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
