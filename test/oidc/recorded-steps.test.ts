// What is kept of a sign-in (promise 44): what each step is about, nothing that could sign anybody in, for thirty days, and never
// more than the database can take.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { signInSteps } from '../../drizzle/schema/traces.ts';
import { rowsOf } from '../../src/database/connection.ts';
import { signInStepKeptSeconds, signInStepsPerMinute } from '../../src/limits/usage.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { reasonTexts } from '../../src/traces/step.ts';
import { countFailures, deleteOldSteps, listFailures } from '../../src/traces/step-list.ts';
import { createStepRecorder } from '../../src/traces/step-record.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { exchange, startAttempt } from '../harness/client.ts';
import { CALLBACK, type RegisteredApplication, type TestTollgate } from '../harness/tollgate.ts';
import { email, openTraceLab, type TraceLab } from './trace-lab.ts';

const metrics = createMetrics({ withProcess: false });
let lab: TraceLab;
let service: TestTollgate;
let application: RegisteredApplication;
let spa: RegisteredApplication;
let newCode: TraceLab['newCode'];
let failOnPurpose: TraceLab['failOnPurpose'];
let stepsOf: TraceLab['stepsOf'];
let recordedSteps: TraceLab['recordedSteps'];

beforeAll(async () => {
  lab = await openTraceLab();
  ({ service, application, spa, newCode, failOnPurpose, stepsOf, recordedSteps } = lab);
  // From here on a sign-in needs no pages, and their steps are not in the way.
  await newCode(application);
  await newCode(spa);
});
afterAll(() => lab.stop());

describe('what a step is about', () => {
  const detailsOf = async (trace: string, count: number) => {
    await stepsOf(trace, count);
    return (await recordedSteps(trace)).map(({ step, reason, detail }) => [reason ?? step, detail]);
  };

  test('scopes that were ignored are named', async () => {
    const { trace } = await newCode(application, { scope: 'openid groups email roles' });
    expect(await detailsOf(trace, 1)).toEqual([['scopes_ignored', 'groups roles']]);
  });

  test('the callback that was sent is kept for comparison, without what may be a secret in it', async () => {
    const sent = 'https://ada:pw@app.example.test/callback?from=a&code=abcdefghijklmnopqrstuvwxyz';
    const { url, nonce } = startAttempt(service, application, { redirect_uri: sent });
    await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const kept = await detailsOf(traceIdOf(application.clientId, nonce), 1);
    expect(kept).toEqual([['callback_not_registered', 'https://app.example.test/callback?from=a&code=...']]);
    const made = await newCode();
    const changed = { redirect_uri: `${CALLBACK}/` };
    await exchange(service, application, { ...made, changed });
    expect((await detailsOf(made.trace, 1)).at(-1)).toEqual(['callback_differs', `${CALLBACK}/`]);
  });

  test('several missing parameters are named', async () => {
    const { url, nonce } = startAttempt(service, application, { state: null, response_type: null });
    await fetch(url, { redirect: 'manual' });
    const trace = traceIdOf(application.clientId, nonce);
    expect(await detailsOf(trace, 1)).toEqual([['parameters_missing', 'response_type, state']]);
  });

  test.each<[string, () => RegisteredApplication, string]>([
    ['single-page application', () => spa, 'origin_not_registered'],
    ['backend', () => application, 'origin_of_backend'],
  ])(
    'an origin that is not registered, of a %s: the reason, the origin, and the attempt',
    async (_name, of, reason) => {
      const made = await newCode(of());
      const headers = { origin: 'https://new.example.test' };
      const answer = await exchange(service, of(), { ...made, headers });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toBeNull();
      expect((await detailsOf(made.trace, 1)).at(-1)).toEqual([reason, 'https://new.example.test']);
    },
  );

  test('a script on a registered origin can read the name of the trace', async () => {
    const origin = 'https://spa.example.test';
    const listed = await service.register({ clientType: 'public', allowedOrigins: [origin] });
    const made = await newCode(listed);
    const changed = { code_verifier: 'v'.repeat(43) };
    const answer = await exchange(service, listed, { ...made, changed, headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-tollgate-trace');
    expect(answer.headers.get('x-tollgate-trace')).toContain(made.trace);
  });
});

describe('what is kept', () => {
  test('no address, code, verifier, token or secret (I7); another workspace reads nothing', async () => {
    const { code, verifier, trace } = await failOnPurpose();
    await stepsOf(trace, 1);
    const kept = JSON.stringify(rowsOf(await service.db.execute(sql`select * from sign_in_steps`)));
    for (const secret of [code, verifier, email, application.clientSecret ?? '-', '@'])
      expect(kept).not.toContain(secret);
    const scope = { workspaceId: 'ws_other', applicationIds: [application.id] };
    expect(await recordedSteps(trace, 'ws_other')).toEqual([]);
    expect(await listFailures(service.db, { ...scope, limit: 5 })).toEqual([]);
    expect(await countFailures(service.db, { ...scope, since: new Date(0) })).toEqual([]);
  });

  test('a flood of failures is cut after some hundred a minute, says so, and leaves room for what goes well', async () => {
    const flooded = await service.register({ name: 'Flooded' });
    const { db } = service;
    let now = new Date('2026-11-21T10:00:00Z');
    const recorder = createStepRecorder({
      db,
      clock: () => now,
      log: createLog({ level: 'silent' }),
      metrics,
    });
    const { clientId } = flooded;
    const fail = () =>
      recorder.record({ clientId, traceId: 'trc_x', step: 'request_refused', reason: 'state_missing' });
    for (let n = 0; n < 5_000; n += 1) fail();
    recorder.record({ clientId, traceId: 'trc_y', step: 'page_opened' });
    await recorder.flush();
    const count = async () =>
      (await db.select().from(signInSteps).where(eq(signInSteps.applicationId, flooded.id))).length;
    expect(await count()).toBe(signInStepsPerMinute + 2);
    const scope = { workspaceId: service.workspace.id, applicationIds: [flooded.id] };
    const counted = await countFailures(db, { ...scope, since: new Date(0) });
    expect(counted.map(({ reason, count: n }) => [reason, n])).toEqual([
      ['state_missing', signInStepsPerMinute],
      ['too_many_steps', 1],
    ]);
    now = new Date('2026-11-21T10:01:00Z');
    fail();
    await recorder.stop();
    expect(await count()).toBe(signInStepsPerMinute + 3);
  });

  test('a database that does not answer costs the steps and nothing else', async () => {
    const lines: unknown[] = [];
    const log = { ...createLog({ level: 'silent' }), warn: (...line: unknown[]) => lines.push(line) };
    const db = { execute: () => Promise.reject(new Error('away')) };
    const recorder = createStepRecorder({
      db: Object.assign(Object.create(service.db), db),
      clock: () => new Date(),
      log: Object.assign(createLog({ level: 'silent' }), log),
      metrics,
    });
    recorder.record({ clientId: 'client_x', traceId: 'trc_x', step: 'page_opened' });
    await recorder.flush();
    expect(lines).toHaveLength(1);
  });

  test('steps end after 30 days', async () => {
    const { trace } = await failOnPurpose();
    await stepsOf(trace, 1);
    await deleteOldSteps(service.db, new Date(Date.now() + signInStepKeptSeconds * 1000 - 60_000));
    await stepsOf(trace, 1);
    await deleteOldSteps(service.db, new Date(Date.now() + signInStepKeptSeconds * 1000 + 60_000));
    expect(await recordedSteps(trace)).toEqual([]);
  });

  test('every reason says what happened and what to do', () => {
    for (const { what, todo } of Object.values(reasonTexts))
      for (const sentence of [what, todo]) expect(sentence).toMatch(/^[A-Za-z].{8,160}[.?]$/);
  });
});
