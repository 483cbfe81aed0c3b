// What a process does besides answering requests: mails, webhook attempts, housekeeping.
import { readFile } from 'node:fs/promises';
import type { House } from './house.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createMailer } from './mail.ts';
import { measureWebhooks } from './metrics-jobs.ts';
import { addressRulesOf } from './webhooks/address.ts';
import { createDeliveryWorker, type OnDisabled } from './webhooks/delivery.ts';
import { createWebhookSender } from './webhooks/sender.ts';

/** @returns a function that ends what the job queue does not end by itself. */
export async function startWorkers(house: House): Promise<() => Promise<void>> {
  const { config, jobs, log, metrics, tracing } = house;
  await createMailer(house).start();
  const extraCa = config.webhookCaFile ? await readFile(config.webhookCaFile, 'utf8') : undefined;
  const send = createWebhookSender({ rules: addressRulesOf(config), extraCa });
  // The workspace has no member to write to yet; until then the operator reads it here.
  const onDisabled: OnDisabled = async (_tx, disabled) => {
    log.warn(
      { subscription: disabled.subscriptionId, reason: disabled.reason },
      'webhook subscription disabled',
    );
  };
  const measure = measureWebhooks(metrics, tracing.annotate);
  const deliver = createDeliveryWorker({ ...house, send, onDisabled, measure });
  await jobs.work('webhooks', deliver);
  await jobs.work('webhook_retries', deliver);
  return startHousekeeping({ ...house, onDisabled });
}
