// A database, an endpoint over TLS, and a clock that the test turns: what deliveries over time are tested with.
import { createHmac } from 'node:crypto';
import { openTestDatabase } from '../harness/database.ts';
import {
  createCompany,
  createTestWorker,
  createTimetable,
  forgetPending,
  START,
  subscribe,
} from './company.ts';
import { answerOk, createAuthority, issueCertificate, type Received, startSink } from './sink.ts';

export type DeliveryLab = Awaited<ReturnType<typeof openDeliveryLab>>;

export async function openDeliveryLab() {
  const database = await openTestDatabase();
  const { db } = database.connection;
  const authority = await createAuthority();
  const caCert = authority.cert;
  const sink = await startSink({ certificate: await issueCertificate({ authority }) });
  return {
    db,
    sink,
    caCert,
    /** A fresh company with one subscription of the endpoint, and an empty timetable. */
    async start() {
      const company = await createCompany(db);
      const subscription = await subscribe(db, company, sink.url);
      const timetable = createTimetable();
      return { company, subscription, timetable, ...createTestWorker(db, timetable, { caCert }) };
    },
    async forget() {
      sink.respond = answerOk;
      sink.received.length = 0;
      await forgetPending(db);
    },
    async close() {
      await sink.close();
      await database.remove();
    },
  };
}

export function at(milliseconds: number): Date {
  return new Date(START.getTime() + milliseconds);
}

/** docs/webhooks.md, word by word. */
export function isValid(
  { headers, body }: Received,
  secret: string,
  now: Date,
  name = 'x-service-webhook-signature',
) {
  const timestamp = headers['x-service-webhook-timestamp'];
  const given = headers[name];
  if (!timestamp || !given || Math.abs(now.getTime() / 1000 - Number(timestamp)) > 300) return false;
  return given === `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}
