// A bad neighbour: what one request makes us write together with others costs at most that request.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { listAttempts, listTraceSteps } from '../../src/traces/step-list.ts';
import { createStepRecorder } from '../../src/traces/step-record.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { startAttempt } from '../harness/client.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

let service: TestTollgate;
let application: RegisteredApplication;

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

const stepsOf = (traceId: string) =>
  listTraceSteps(service.db, { workspaceId: service.workspace.id, traceId });

/** Of the one attempt with this nonce. */
async function untilStepsOf(beginning: string) {
  const { traceId } = await until('the attempt is recorded', async () => {
    const which = { workspaceId: service.workspace.id, beginning, limit: 2 };
    const [attempt] = await listAttempts(service.db, which);
    return attempt;
  });
  return stepsOf(traceId);
}

test.each(['%00', '%00%00app', 'a%00b'])(
  'a token request with client_id=%s costs no other company the trace of its sign-in',
  async (clientId) => {
    const form = `grant_type=authorization_code&client_id=${clientId}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const bad = () => fetch(`${service.url}/oauth/token`, { method: 'POST', headers, body: form });
    expect((await bad()).status).toBeLessThan(500);
    const attempt = startAttempt(service, application, { code_challenge: 'too short' });
    await fetch(attempt.url, { redirect: 'manual' });
    await bad();
    const steps = await untilStepsOf(traceIdOf(application.clientId, attempt.nonce));
    expect(steps.map(({ step }) => step)).toEqual(['request_refused']);
  },
);

describe('a row that the database refuses', () => {
  test.each([
    ['a zero character', 'trc_\0'],
    ['half of a surrogate pair', 'trc_\ud800'],
  ])('%s in it: it alone is lost, and counted', async (_name, hostile) => {
    const metrics = createMetrics({ withProcess: false });
    const { db } = service;
    const clock = () => new Date();
    const recorder = createStepRecorder({ db, clock, log: createLog({ level: 'silent' }), metrics });
    const { clientId } = application;
    const names = Array.from({ length: 9 }, (_, n) => `trc_${hostile.length}${n}${_name.length}`);
    for (const traceId of [...names.slice(0, 4), hostile, ...names.slice(4)])
      recorder.record({ clientId, traceId, step: 'page_opened' });
    await recorder.flush();
    for (const traceId of names) expect(await stepsOf(traceId)).toHaveLength(1);
    expect(await metrics.registry.getSingleMetricAsString('tollgate_unrecorded_total')).toContain(
      'tollgate_unrecorded_total{what="sign_in_steps"} 1',
    );
  });
});
