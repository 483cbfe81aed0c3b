// What a process does besides answering requests: mails, webhook attempts, housekeeping.
import { readFile } from 'node:fs/promises';
import type { House } from './house.ts';
import { startHousekeeping } from './housekeeping.ts';
import { watchMoney } from './housekeeping-money.ts';
import { startLongWork } from './long-work-loop.ts';
import { createMailer } from './mail.ts';
import { measureWebhooks } from './metrics-jobs.ts';
import { tellOfDisabledEndpoint } from './owner-mail.ts';
import { createPaymentProvider } from './payments/providers.ts';
import { addressRulesOf } from './webhooks/address.ts';
import { createDeliveryWorker } from './webhooks/delivery.ts';
import { createWebhookSender } from './webhooks/sender.ts';
import { workKinds } from './work-kinds.ts';

/** @returns a function that ends what the job queue does not end by itself. */
export async function startWorkers(house: House): Promise<() => Promise<void>> {
  const { config, jobs, clock, log, metrics, tracing } = house;
  const mailer = createMailer(house);
  await mailer.start();
  const extraCa = config.webhookCaFile ? await readFile(config.webhookCaFile, 'utf8') : undefined;
  const send = createWebhookSender({ rules: addressRulesOf(config), extraCa });
  const onDisabled = tellOfDisabledEndpoint({ config, mailer, log });
  const measure = measureWebhooks(metrics, tracing.annotate);
  const deliver = createDeliveryWorker({ ...house, send, onDisabled, measure });
  await jobs.work('webhooks', deliver);
  await jobs.work('webhook_retries', deliver);
  const stopHousekeeping = startHousekeeping({ ...house, onDisabled });
  const stopLongWork = startLongWork({ ...house, kinds: workKinds });
  const payments = createPaymentProvider(config, clock);
  const stopWatching = watchMoney({ ...house, mailer, payments });
  return async () => {
    await stopWatching();
    await stopLongWork();
    await stopHousekeeping();
  };
}
