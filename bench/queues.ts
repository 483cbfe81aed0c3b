// Webhook deliveries and mails per second of one process, from a queue that was filled while no worker ran.
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/clock.ts';
import { transaction } from '../src/database/connection.ts';
import { newId } from '../src/id.ts';
import { createLog } from '../src/log.ts';
import { type Jobs, startJobs } from '../src/queue/jobs.ts';
import { createMailer } from '../src/queue/mail.ts';
import { enqueueAll, findSubscribers } from '../src/webhooks/enqueue.ts';
import { type BenchDatabase, createBenchDatabase, createCompany, subscribe } from './company.ts';
import { type Child, startChild } from './processes.ts';
import { say } from './report.ts';
import { startTollgate } from './service.ts';

type Receivers = { webhookUrl: string; smtpUrl: string; caFile: string };
type Count = { webhooks: number; mails: number };
const BATCH = 100;

export async function benchQueues(options: { webhooks: number; mails: number }): Promise<void> {
  say('\n4. Queues of one process');
  const yard = await openYard();
  await queueWebhooks(yard.database, yard.company, options.webhooks);
  sayEmptied('webhooks', await emptied(yard, 'webhooks', options.webhooks));
  await queueMails(yard.database, yard.jobs, options.mails);
  sayEmptied('mails', await emptied(yard, 'mails', options.mails));
  await yard.close();
}

/** Of one process that is started for it, with a database of its own. */
export async function mailsPerSecond(
  mails: number,
  environment: Record<string, string> = {},
): Promise<number> {
  const yard = await openYard(environment);
  await queueMails(yard.database, yard.jobs, mails);
  const { count, seconds } = await emptied(yard, 'mails', mails);
  await yard.close();
  return count / seconds;
}

type Yard = {
  database: BenchDatabase;
  company: Company;
  jobs: Jobs;
  receivers: Child;
  environment: Record<string, string>;
  close(): Promise<void>;
};

/** Receivers, a company with an endpoint, and a queue whose workers have not started. */
async function openYard(environment: Record<string, string> = {}): Promise<Yard> {
  const receivers = startChild('receivers.ts');
  const { webhookUrl, smtpUrl, caFile } = await receivers.call<Receivers>('start');
  const database = await createBenchDatabase();
  const company = await createCompany(database, { applications: 1, people: 1 });
  await subscribe(database, company.workspaceId, webhookUrl);
  const log = createLog({ level: 'silent' });
  const jobs = await startJobs({ connection: database.connection, databaseUrl: database.url, log });
  return {
    database,
    company,
    jobs,
    receivers,
    environment: {
      WEBHOOK_ALLOW_LOOPBACK: 'on',
      WEBHOOK_CA_FILE: caFile,
      SMTP_URL: smtpUrl,
      ...environment,
    },
    async close() {
      await jobs.stop();
      await database.remove();
      await receivers.stop();
    },
  };
}

type Emptied = { count: number; seconds: number };

async function emptied(yard: Yard, what: keyof Count, wanted: number): Promise<Emptied> {
  const { receivers, database, company, environment } = yard;
  const server = await startTollgate(database, company, environment);
  const startedAt = performance.now();
  const already = (await receivers.call<Count>('count'))[what];
  while ((await receivers.call<Count>('count'))[what] < wanted) await sleep(20);
  const seconds = (performance.now() - startedAt) / 1000;
  await server.child.stop();
  return { count: wanted - already, seconds };
}

function sayEmptied(what: string, { count, seconds }: Emptied): void {
  say(`    ${what}: ${(count / seconds).toFixed(0)}/s (${count} in ${seconds.toFixed(1)} s)`);
}

type Company = Awaited<ReturnType<typeof createCompany>>;

async function queueWebhooks({ connection }: BenchDatabase, company: Company, count: number) {
  for (let done = 0; done < count; done += BATCH) {
    const now = new Date();
    const events = Array.from({ length: BATCH }, () => ({
      id: newId('evt'),
      type: 'identity.login.completed.v1' as const,
      applicationId: company.applications[0]?.id ?? '',
      workspaceId: company.workspaceId,
      livemode: true,
      createdAt: now,
      data: {
        customer: { sub: newId('acc'), email: 'ada@example.com', email_verified: true, name: 'Ada' },
        kind: 'sign_in' as const,
        amount: '0.020000',
        currency: 'EUR',
        status: 'committed' as const,
      },
    }));
    await transaction(connection.db, async (tx) => {
      const subscribers = await findSubscribers(tx, [company.applications[0]?.id ?? '']);
      await enqueueAll(tx, { now, events, subscribers });
    });
  }
}

async function queueMails({ connection: { db }, keys }: BenchDatabase, jobs: Jobs, count: number) {
  const config = { smtpUrl: undefined, mailFrom: 'Tollgate <no-reply@localhost>' };
  const mailer = createMailer({
    config,
    db,
    jobs,
    keys,
    log: createLog({ level: 'silent' }),
    clock: systemClock,
  });
  for (let done = 0; done < count; done += BATCH) {
    await transaction(db, async (tx) => {
      for (let index = 0; index < BATCH; index += 1) {
        const text = 'Your code is 123456.\n'.repeat(20);
        await mailer.queue(tx, { to: 'ada@example.com', subject: 'Your code', text, html: `<p>${text}</p>` });
      }
    });
  }
}
