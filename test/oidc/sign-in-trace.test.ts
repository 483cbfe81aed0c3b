// Promise 44: one name ties the pages, the token error and the charge of a sign-in; the company reads why it
// failed while the client got the plain OAuth error. Nothing is kept that could sign anybody in.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { signInSteps } from '../../drizzle/schema/traces.ts';
import { listRecentEvents } from '../../src/ledger/usage-recent.ts';
import { authorizationCodeSeconds } from '../../src/limits/token-lifetimes.ts';
import { signInTraceSteps } from '../../src/limits/usage.ts';
import { countFailures, listAttempts, listFailures, listTraceSteps } from '../../src/traces/step-list.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Answer, exchange, readCallback, refresh, startAttempt } from '../harness/client.ts';
import { CALLBACK, type RegisteredApplication, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { email, openTraceLab, type Sent, type TraceLab } from './trace-lab.ts';

let lab: TraceLab;
let service: TestTollgate;
let application: RegisteredApplication;
let spa: RegisteredApplication;
let browser: TraceLab['browser'];
let newCode: TraceLab['newCode'];
let failOnPurpose: TraceLab['failOnPurpose'];
let stepsOf: TraceLab['stepsOf'];
let recordedSteps: TraceLab['recordedSteps'];

beforeAll(async () => {
  lab = await openTraceLab();
  ({ service, application, spa, browser, newCode, failOnPurpose, stepsOf, recordedSteps } = lab);
});
afterAll(() => lab.stop());

async function refused(answer: Answer, error: string): Promise<string[]> {
  expect(answer.body).toEqual({ error, error_description: expect.any(String) });
  const traceId = answer.headers.get('x-tollgate-trace') ?? '';
  expect(traceId).toMatch(/^trc_/);
  return stepsOf(traceId, 1);
}

describe('the pages', () => {
  test('a first sign-in: every step in its order, and the charge under the same name', async () => {
    const { code, verifier, trace } = await newCode();
    expect((await exchange(service, application, { code, verifier })).status).toBe(200);
    expect(await stepsOf(trace, 5)).toEqual([
      'page_opened',
      'code_mailed',
      'signed_in_by_code',
      'consent_asked',
      'consent_given',
    ]);
    const [event] = await listRecentEvents(service.db, { applicationIds: [application.id], limit: 1 });
    expect(event).toMatchObject({ kind: 'registration', traceId: expect.stringContaining(trace) });
  });

  test('a sign-in without pages writes its event and nothing beside it', async () => {
    const { code, verifier, trace } = await newCode();
    expect((await exchange(service, application, { code, verifier })).status).toBe(200);
    const [event] = await listRecentEvents(service.db, { applicationIds: [application.id], limit: 1 });
    expect(event).toMatchObject({ kind: 'sign_in', traceId: expect.stringContaining(trace) });
    // Later steps are written by now, so this one's would be.
    await stepsOf((await failOnPurpose()).trace, 1);
    expect(await recordedSteps(trace)).toEqual([]);
  });

  test('consent denied', async () => {
    const other = await service.register({ name: 'Other shop' });
    const attempt = startAttempt(service, other);
    const callback = await signInAs({ authorizationUrl: attempt.url, email, browser, consent: 'deny' });
    expect(readCallback(callback).error).toBe('access_denied');
    const steps = await stepsOf(traceIdOf(other.clientId, attempt.nonce), 2);
    expect(steps).toEqual(['consent_asked', 'consent_denied: person_denied']);
  });

  test('a wrong code, then a cancelled sign-in; an error page names the trace', async () => {
    const fresh = createBrowser();
    const attempt = startAttempt(service, application);
    const arrival = await fresh.open(attempt.url);
    if (!('page' in arrival)) throw new Error('no page');
    const { page } = arrival;
    const form = page.forms.find(({ fields }) => fields.some(({ name }) => name === 'email'));
    if (!form) throw new Error('no form');
    const asked = await fresh.submit(page, form, { email: 'wrong@example.test' }, form.buttons[0]);
    if (!('page' in asked)) throw new Error('no page');
    const codeForm = asked.page.forms.find(({ fields }) => fields.some(({ name }) => name === 'code'));
    if (!codeForm) throw new Error('no form for the code');
    const again = await fresh.submit(asked.page, codeForm, { code: '000000' });
    if (!('page' in again)) throw new Error('no page');
    const cancel = again.page.forms.find(({ action }) => action.endsWith('/cancel'));
    if (!cancel) throw new Error('no way out');
    expect('leftTo' in (await fresh.submit(again.page, cancel))).toBe(true);
    const trace = traceIdOf(application.clientId, attempt.nonce);
    expect(await stepsOf(trace, 4)).toEqual([
      'page_opened',
      'code_mailed',
      'code_refused: wrong_code',
      'cancelled: person_cancelled',
    ]);
  });
});

describe('the token endpoint: the client gets the plain error, the company the reason', () => {
  test('verifier did not match', async () => {
    const { answer, trace } = await failOnPurpose();
    expect(answer.headers.get('x-tollgate-trace')).toContain(trace);
    expect(await refused(answer, 'invalid_grant')).toEqual(['token_refused: verifier_mismatch']);
  });

  test.each<[string, Sent, string, string]>([
    ['verifier missing', { code_verifier: null }, 'invalid_grant', 'verifier_missing'],
    ['verifier malformed', { code_verifier: 'short' }, 'invalid_request', 'verifier_malformed'],
    ['another callback', { redirect_uri: `${CALLBACK}/` }, 'invalid_grant', 'callback_differs'],
    ['callback missing', { redirect_uri: null }, 'invalid_request', 'parameter_missing'],
    ['grant type unknown', { grant_type: 'password' }, 'unsupported_grant_type', 'grant_type_unsupported'],
  ])('%s', async (_name, changed, error, reason) => {
    const made = await newCode();
    const answer = await exchange(service, application, { ...made, changed });
    expect(await refused(answer, error)).toEqual([`token_refused: ${reason}`]);
  });

  test('code used before: under the name of the sign-in that used it', async () => {
    const made = await newCode();
    expect((await exchange(service, application, made)).status).toBe(200);
    const again = await exchange(service, application, made);
    expect(again.headers.get('x-tollgate-trace')).toContain(made.trace);
    expect(await refused(again, 'invalid_grant')).toEqual(['token_refused: code_used']);
  });

  test('code made up, and code of another application: the other one learns nothing', async () => {
    const made = await newCode();
    const invented = await exchange(service, application, { ...made, code: 'x'.repeat(43) });
    expect(await refused(invented, 'invalid_grant')).toEqual(['token_refused: code_unknown']);
    await newCode(spa);
    const stolen = await exchange(service, spa, made);
    expect(stolen.headers.get('x-tollgate-trace')).not.toContain(made.trace);
    expect(await refused(stolen, 'invalid_grant')).toEqual(['token_refused: code_of_other_application']);
    expect((await exchange(service, application, made)).status).toBe(200);
  });

  test('code expired: known as such, under the name of its attempt', async () => {
    const made = await newCode();
    service.clock.aheadMilliseconds += (authorizationCodeSeconds + 1) * 1000;
    await lab.redis?.age((authorizationCodeSeconds + 1) * 1000);
    const late = await exchange(service, application, made);
    expect(late.headers.get('x-tollgate-trace')).toContain(made.trace);
    expect(await refused(late, 'invalid_grant')).toEqual(['token_refused: code_expired']);
    service.clock.aheadMilliseconds = 0;
  });

  test('balance too low', async () => {
    const poor = await service.register({ name: 'Poor shop', balance: 0n });
    const made = await newCode(poor);
    const answer = await exchange(service, poor, made);
    expect(answer.headers.get('x-tollgate-trace')).toContain(made.trace);
    expect(answer.body.error).toBe('temporarily_unavailable');
    expect((await stepsOf(made.trace, 3)).at(-1)).toBe('token_refused: balance_too_low');
  });

  test('client secret wrong or missing: recorded, and the answer says no more than to a stranger (threat 26)', async () => {
    const [one, two] = [await newCode(), await newCode()];
    const wrong = await exchange(service, application, { ...one, changed: { client_secret: 'nonsense' } });
    const missing = await exchange(service, application, { ...two, changed: { client_secret: null } });
    const stranger = await exchange(service, application, { ...two, changed: { client_id: 'client_x' } });
    for (const answer of [wrong, missing]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(stranger.body);
      expect(answer.headers.get('x-tollgate-trace')).toBeNull();
    }
    expect([...wrong.headers.keys()]).toEqual([...stranger.headers.keys()]);
    expect(await stepsOf(one.trace, 1)).toEqual(['token_refused: secret_wrong']);
    expect(await stepsOf(two.trace, 1)).toEqual(['token_refused: secret_missing']);
  });

  test('a public client that sends a secret; a refresh token that is no longer valid', async () => {
    const made = await newCode(spa, { scope: 'openid offline_access' });
    const given = await exchange(service, spa, { ...made, changed: { client_secret: 'why' } });
    expect(given.status).toBe(401);
    expect((await stepsOf(made.trace, 3)).at(-1)).toBe('token_refused: secret_unexpected');
    const tokens = await exchange(service, spa, made);
    const first = String(tokens.body.refresh_token);
    expect((await refresh(service, spa, first)).status).toBe(200);
    const reused = await refresh(service, spa, first);
    expect(reused.headers.get('x-tollgate-trace')).toContain(made.trace);
    expect((await stepsOf(made.trace, 4)).at(-1)).toBe('token_refused: refresh_token_used');
    const unknown = await refresh(service, spa, 'nonsense');
    expect(await refused(unknown, 'invalid_grant')).toEqual(['token_refused: refresh_token_unknown']);
  });

  test('a disabled application', async () => {
    const off = await service.register({ name: 'Switched off' });
    await service.db.update(applications).set({ disabledAt: new Date() }).where(eq(applications.id, off.id));
    const { nonce, url } = startAttempt(service, off);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
    expect(await stepsOf(traceIdOf(off.clientId, nonce), 1)).toEqual([
      'request_refused: application_disabled',
    ]);
  });
});

async function failOnPurposeWith(changed: Sent): Promise<Answer> {
  const made = await newCode(application, changed);
  return exchange(service, application, { ...made, verifier: 'v'.repeat(43) });
}

describe('one trace is one attempt', () => {
  test('a client that repeats its nonce has a trace for each attempt, and finds all of them by the nonce', async () => {
    const repeated = { nonce: 'always-the-same' };
    const attempts = [await failOnPurposeWith(repeated), await failOnPurposeWith(repeated)];
    const names = attempts.map(({ headers }) => headers.get('x-tollgate-trace') ?? '');
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(await stepsOf(name, 1)).toEqual(['token_refused: verifier_mismatch']);
    const beginning = traceIdOf(application.clientId, repeated.nonce);
    const found = await listAttempts(service.db, { workspaceId: service.workspace.id, beginning, limit: 9 });
    expect(found.map(({ traceId }) => traceId).toSorted()).toEqual(names.toSorted());
  });

  test('a client cannot name its attempt as it likes', async () => {
    const answer = await failOnPurposeWith({
      attempt: 'trc_mine',
      claims: '{"attempt":"trc_mine","userinfo":{}}',
    });
    expect(answer.headers.get('x-tollgate-trace')).not.toContain('mine');
  });

  test('of many steps the newest are shown', async () => {
    const traceId = `trc_${'m'.repeat(30)}`;
    const steps = Array.from({ length: signInTraceSteps + 3 }, (_, index) => ({
      id: `stp_many_${index}`,
      applicationId: application.id,
      traceId,
      step: index < 3 ? 'page_opened' : 'code_mailed',
      occurredAt: new Date(Date.UTC(2026, 10, 21) + index),
    }));
    await service.db.insert(signInSteps).values(steps);
    const shown = await listTraceSteps(service.db, { workspaceId: service.workspace.id, traceId });
    expect(new Set(shown.map(({ step }) => step))).toEqual(new Set(['code_mailed']));
    expect(shown.at(-1)?.occurredAt).toEqual(steps.at(-1)?.occurredAt);
  });
});

describe('the authorization endpoint: the parameter that was wrong', () => {
  test.each<[Sent, string]>([
    [{ redirect_uri: 'https://evil.example/callback' }, 'callback_not_registered'],
    [{ redirect_uri: null }, 'callback_missing'],
    [{ state: null }, 'state_missing'],
    [{ scope: null }, 'scope_missing'],
    [{ scope: 'openid "' }, 'scope_malformed'],
    [{ response_type: null }, 'response_type_missing'],
    [{ state: null, scope: 'email' }, 'parameters_missing'],
    [{ max_age: 'x' }, 'max_age_invalid'],
    [{ claims: '[]' }, 'claims_invalid'],
    [{ claims: '{"id_token":{"acr":{"essential":true,"value":"none"}}}' }, 'acr_unmet'],
    [{ scope: 'email' }, 'openid_missing'],
    [{ code_challenge: null, code_challenge_method: null }, 'challenge_missing'],
    [{ code_challenge_method: null }, 'challenge_method_wrong'],
    [{ code_challenge_method: 'plain' }, 'challenge_method_wrong'],
    [{ code_challenge: 'short' }, 'challenge_malformed'],
    [{ response_type: 'token' }, 'response_type_unsupported'],
    [{ response_mode: 'fragment' }, 'response_mode_unsupported'],
    [{ prompt: 'none login' }, 'prompt_invalid'],
    [{ id_token_hint: 'nonsense' }, 'hint_invalid'],
    [{ request: 'e30.e30.' }, 'request_object'],
  ])('%j', async (changed, reason) => {
    const { url, nonce } = startAttempt(service, application, changed);
    const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const trace = traceIdOf(application.clientId, nonce);
    expect(await stepsOf(trace, 1)).toEqual([`request_refused: ${reason}`]);
    if (answer.status === 400) expect(await answer.text()).toContain(trace);
  });

  test('without a nonce there is no attempt to tie it to, but the failure is there', async () => {
    const { url } = startAttempt(service, spa, { nonce: null });
    await fetch(url, { redirect: 'manual' });
    const scope = { workspaceId: service.workspace.id, applicationIds: [spa.id] };
    const failures = await listFailures(service.db, { ...scope, limit: 5 });
    await stepsOf(failures[0]?.traceId ?? '', 1);
    const counted = async () => await countFailures(service.db, { ...scope, since: new Date(0) });
    const counts = await until('it is counted', counted, { isIt: (rows) => rows.some(isNonce) });
    expect(counts).toContainEqual({ step: 'request_refused', reason: 'nonce_missing', count: 1 });
  });

  test('prompt=none without a session is an answer, not a failure', async () => {
    const { url, nonce } = startAttempt(service, application, { prompt: 'none' });
    const answer = await fetch(url, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('login_required');
    await stepsOf((await failOnPurpose()).trace, 1);
    const traceId = traceIdOf(application.clientId, nonce);
    expect(await recordedSteps(traceId)).toEqual([]);
  });
});

const isNonce = ({ reason }: { reason: string }) => reason === 'nonce_missing';
