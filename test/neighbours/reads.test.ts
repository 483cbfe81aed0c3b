// A bad neighbour who reads (promise 51): however much one company reads, the pages of others and readiness do not
// notice, and what it asks for beyond its share is refused to it alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createReadingLanes } from '../../src/database/reading-lanes.ts';
import { readingLimits } from '../../src/limits/reads.ts';
import { hasPostgres, openTestPglite } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { chosenStores } from '../harness/stores.ts';
import { until } from '../harness/until.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';

const onServers = chosenStores() === 'servers' && (await hasPostgres());

(onServers ? describe : describe.skip)(
  'D: twenty statement pages of one viewer, each as slow as it may be',
  () => {
    let lab: SettingsLab;
    let operations: string;
    let holder: pg.Client;
    let pages: Promise<{ status: number; headers: Headers }[]>;
    beforeAll(async () => {
      const port = await freePort();
      operations = `http://127.0.0.1:${port}`;
      lab = await openSettingsLab({ OPERATIONS_PORT: String(port) });
      const { id } = await lab.acme.register();
      const url = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
      const { rows } = (await lab.service.db.execute('select current_database() as name')) as unknown as {
        rows: { name: string }[];
      };
      url.pathname = `/${rows[0]?.name}`;
      holder = new pg.Client({ connectionString: url.href });
      await holder.connect();
      // Whoever reads the books waits as long as a statement may.
      await holder.query('begin');
      await holder.query('lock table transfers, usage_days, usage_events in access exclusive mode');
      const viewer = lab.visitor(lab.acme.viewer);
      const path = `/settings/${lab.acme.workspace.id}/applications/${id}/statement`;
      pages = Promise.all(Array.from({ length: 20 }, () => viewer.get(path)));
      await until('pages wait for the books', () => countLockWaits(lab.service.db), {
        isIt: (count) => count > 0,
      });
    });
    afterAll(async () => {
      await holder.query('rollback');
      await holder.end();
      await lab.stop();
    });

    test('readiness stays green', async () => {
      for (let probe = 0; probe < 3; probe += 1) {
        const answer = await fetch(`${operations}/readyz`);
        expect({ status: answer.status, body: await answer.json() }).toMatchObject({
          status: 200,
          body: { ready: true },
        });
      }
    });

    test('the pages of another company answer at once', async () => {
      const startedAt = performance.now();
      const { workspace, viewer } = lab.other;
      expect((await lab.visitor(viewer).get(`/settings/${workspace.id}/members`)).status).toBe(200);
      expect((await lab.visitor(viewer).get(`/settings/${workspace.id}/webhooks`)).status).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(1_500);
    });

    test('each of the twenty gets an answer within a few seconds, with the time to come again', async () => {
      const startedAt = performance.now();
      const answers = await pages;
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      for (const { status, headers } of answers) {
        expect([429, 503]).toContain(status);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(answers.some(({ status }) => status === 429)).toBe(true);
    });
  },
);

describe('a reading lane', () => {
  const limits = {
    ...readingLimits,
    places: 4,
    placesPerCompany: 2,
    waitingPerCompany: 3,
    waitMilliseconds: 200,
  };
  let database: Awaited<ReturnType<typeof openTestPglite>>;
  beforeAll(async () => {
    database = await openTestPglite();
  });
  afterAll(() => database.remove());
  const open = (changed: Partial<typeof limits> = {}) =>
    createReadingLanes(database.connection.db, { ...limits, ...changed });

  test('gives one company two places, and the third to come waits', async () => {
    const lanes = open();
    const hold = Promise.withResolvers<void>();
    let running = 0;
    const slow = () =>
      lanes('acme').read(async () => {
        running += 1;
        await hold.promise;
      });
    const all = [slow(), slow(), slow()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toBe(2);
    expect(await lanes('other').read(async () => 'read')).toBe('read');
    hold.resolve();
    await Promise.all(all);
    expect(running).toBe(3);
  });

  test('refuses to wait longer than it says, and to keep a longer line', async () => {
    const lanes = open();
    const hold = Promise.withResolvers<void>();
    const held = [1, 2].map(() => lanes('acme').read(() => hold.promise));
    const waiting = [1, 2, 3].map(() => lanes('acme').read(async () => undefined));
    await expect(lanes('acme').read(async () => undefined)).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 2,
    });
    for (const each of await Promise.allSettled(waiting))
      expect(each).toMatchObject({ status: 'rejected', reason: { status: 429 } });
    hold.resolve();
    await Promise.all(held);
    expect(await lanes('acme').read(async () => 'again')).toBe('again');
  });

  test('lets companies take turns, however many pieces of work one of them has waiting', async () => {
    const lanes = open({ places: 1, placesPerCompany: 1, waitingPerCompany: 50, waitMilliseconds: 5_000 });
    const order: string[] = [];
    const work = (company: string) => lanes(company).read(async () => void order.push(company));
    await Promise.all([...Array.from({ length: 10 }, () => work('acme')), work('other'), work('third')]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    expect(order.indexOf('third')).toBeLessThanOrEqual(3);
  });

  test('gives a failed piece of work its place back', async () => {
    const lanes = open({ places: 1, placesPerCompany: 1 });
    await expect(lanes('acme').read(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await lanes('acme').read(async () => 1)).toBe(1);
  });

  test('has two downloads of a company at once, each until it ends', () => {
    const lanes = open();
    const [first] = [lanes('acme').openDownload(), lanes('acme').openDownload()];
    expect(() => lanes('acme').openDownload()).toThrow(expect.objectContaining({ status: 429 }));
    lanes('other').openDownload().end();
    first?.end();
    first?.end();
    lanes('acme').openDownload();
    expect(() => lanes('acme').openDownload()).toThrow(expect.objectContaining({ status: 429 }));
  });
});
