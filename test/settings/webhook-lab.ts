// Company settings with a receiver over TLS, and what a developer does at every subscription.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import { createAuthority, issueCertificate, startSink } from '../webhooks/sink.ts';
import { openSettingsLab } from './lab.ts';

export type WebhookLab = Awaited<ReturnType<typeof openWebhookLab>>;

export async function openWebhookLab() {
  const authority = await createAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-authority-'));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  const sink = await startSink({ certificate: await issueCertificate({ authority }) });
  const lab = await openSettingsLab({
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
  });
  const shop = await lab.acme.register({ name: 'Shop' });
  const base = `/settings/${lab.acme.workspace.id}/webhooks`;
  const developer = lab.visitor(lab.acme.developer);
  let endpoints = 0;
  return {
    lab,
    shop,
    sink,
    base,
    developer,
    /** An endpoint of its own, whose requests no other subscription makes. */
    async subscribe() {
      endpoints += 1;
      const url = `${sink.url}/${endpoints}`;
      const made = await developer.post(`${base}/new`, { ...everything, url });
      if (made.status !== 303) throw new Error(made.html);
      const { html } = await developer.follow(made);
      const start = `POST ${new URL(url).pathname} `;
      return {
        path: made.location ?? '',
        id: made.location?.split('/').at(-1) ?? '',
        secret: secretIn(html),
        received: () => sink.received.filter(({ head }) => head.startsWith(start)),
      };
    },
    async sendTest(path: string, type = 'identity.registration.completed.v1') {
      const sent = await developer.post(`${path}/health`, { type, application: shop.id }, `${path}/test`);
      expect(sent.status).toBe(303);
      return sent;
    },
    deliveriesTo: (id: string) =>
      lab.service.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.subscriptionId, id)),
    async stop() {
      await lab.stop();
      await sink.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const everything = { applications: 'all', registrations: 'on', sign_ins: 'on' };
export const SECRET = /whsec_[A-Za-z0-9_-]{43}/;
export const secretIn = (html: string) => SECRET.exec(html)?.[0] ?? '';
