// Sign-ins that go well or wrong on purpose, and what was recorded of them.
import { expect } from '@jest/globals';
import { listAttempts, listTraceSteps } from '../../src/traces/step-list.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { connectTestRedis } from '../harness/redis.ts';
import { startTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

export type Sent = Record<string, string | null>;
export type TraceLab = Awaited<ReturnType<typeof openTraceLab>>;

export async function openTraceLab() {
  const redis = connectTestRedis();
  const service = await startTollgate({ ...(redis && { REDIS_URL: redis.url }) });
  const application = await service.register();
  const spa = await service.register({ clientType: 'public', name: 'Single page' });
  const browser = createBrowser();

  /** A person whose browser is signed in after the first time: no pages, no mail. */
  async function newCode(of = application, changed: Sent = {}) {
    const attempt = startAttempt(service, of, changed);
    const callback = await signInAs({ authorizationUrl: attempt.url, email, browser });
    const { code = '' } = readCallback(callback);
    return { code, verifier: attempt.verifier, trace: traceIdOf(of.clientId, attempt.nonce) };
  }

  async function failOnPurpose(of = application) {
    const made = await newCode(of);
    const answer = await exchange(service, of, { ...made, verifier: 'v'.repeat(43) });
    return { ...made, answer };
  }

  /** Recorded steps are written a moment later; waits until there are as many. */
  async function stepsOf(trace: string, count: number) {
    const steps = await until(`${trace} has ${count} steps`, () => recordedSteps(trace), {
      isIt: (found) => found.length >= count,
    });
    return steps.map(({ step, reason }) => (reason ? `${step}: ${reason}` : step));
  }

  /** Of the one attempt whose name begins so. */
  async function recordedSteps(beginning: string, workspaceId = service.workspace.id) {
    const attempts = await listAttempts(service.db, { workspaceId, beginning, limit: 2 });
    expect(attempts.length).toBeLessThan(2);
    const [attempt] = attempts;
    return attempt ? listTraceSteps(service.db, { workspaceId, traceId: attempt.traceId }) : [];
  }

  return {
    redis,
    service,
    application,
    spa,
    browser,
    newCode,
    failOnPurpose,
    stepsOf,
    recordedSteps,
    async stop() {
      await service.stop();
      await redis?.remove();
    },
  };
}

export const email = 'grace@example.test';
