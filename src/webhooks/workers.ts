// Puts this process to work on the deliveries: both lanes, one handler.
import type { Jobs } from '../jobs.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery.ts';
import type { DeliveryJob } from './delivery-job.ts';
import { createWebhookSender, type SenderOptions } from './sender.ts';

type Workers = Omit<DeliveryWorker, 'send' | 'jobs'> & {
  jobs: Pick<Jobs, 'send' | 'work'>;
  sender: SenderOptions;
};

export async function startWebhookWorkers({ sender, ...worker }: Workers): Promise<void> {
  const deliver = createDeliveryWorker({ ...worker, send: createWebhookSender(sender) });
  await worker.jobs.work<DeliveryJob>('webhooks', deliver);
  await worker.jobs.work<DeliveryJob>('webhook_retries', deliver);
}
