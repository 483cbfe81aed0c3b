// The doctor's question at the public address: is it this service, over valid TLS, and do the proxies in between pass
// on what TRUST_PROXY promises?
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { isUnknownAuthority, NAME_THE_AUTHORITY } from '../config/unknown-authority.ts';
import { clockSkewRefusedSeconds, doctorQuestionMilliseconds } from '../limits/operations.ts';
import type { Keys } from '../secrets.ts';
import { PROBE_PATH, probeHeaders } from '../service/doctor-probe.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const answerSchema = z.object({
  issuer: z.string(),
  trustProxy: z.number(),
  forwardedFor: z.number(),
  forwardedProto: z.string().nullable(),
  host: z.string().nullable(),
  time: z.string(),
});
type Answer = z.infer<typeof answerSchema>;

export async function inspectBaseUrl(options: {
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'isSecure' | 'isLoopback'>;
  keys: Pick<Keys, 'doctor'>;
  now: Date;
}): Promise<Finding[]> {
  const { config, keys, now } = options;
  const scheme =
    config.isSecure || config.isLoopback
      ? ok('address', config.baseUrl)
      : problem(
          'address',
          `${config.baseUrl} is not https`,
          'Terminate TLS in front of the service and set BASE_URL to the https address.',
        );
  const asked = await ask(`${config.baseUrl}${PROBE_PATH}`, probeHeaders(keys, now));
  if ('refusal' in asked) {
    const change = asked.isUnknownAuthority
      ? NAME_THE_AUTHORITY
      : 'Start the service and make sure BASE_URL reaches it from this machine (name, port, certificate, proxy). Before the first start, use --not-started.';
    return [
      scheme,
      problem('public address', `${config.baseUrl} does not lead to this service: ${asked.refusal}`, change),
    ];
  }
  return [scheme, ...inspectAnswer(asked.answer, config, now), inspectHeaders(asked.headers, config)];
}

async function ask(url: string, headers: Record<string, string>) {
  try {
    const signal = AbortSignal.timeout(doctorQuestionMilliseconds);
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    const parsed = answerSchema.safeParse(await response.json().catch(() => undefined));
    if (response.status === 200 && parsed.success) return { answer: parsed.data, headers: response.headers };
    const refusal =
      response.status === 404
        ? 'another service answers, or one with a different TOLLGATE_SECRET'
        : `status ${response.status}`;
    return { refusal, isUnknownAuthority: false };
  } catch (error) {
    const refusal = codeOf(error) ?? 'no answer in time';
    return { refusal, isUnknownAuthority: isUnknownAuthority(error) };
  }
}

/** ECONNREFUSED, CERT_HAS_EXPIRED, …: fetch wraps it as a cause. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : undefined;
}

function inspectAnswer(answer: Answer, config: Pick<Config, 'baseUrl' | 'trustProxy'>, now: Date): Finding[] {
  const found: Finding[] = [];
  if (answer.issuer !== config.baseUrl)
    found.push(
      problem(
        'issuer',
        `the running service uses the issuer ${answer.issuer}`,
        'Restart it with the BASE_URL from these settings.',
      ),
    );
  found.push(inspectProxies(answer));
  const skew = Math.abs(new Date(answer.time).getTime() - now.getTime()) / 1000;
  if (skew > clockSkewRefusedSeconds)
    found.push(
      problem(
        'service clock',
        `${Math.round(skew)} s from this machine's`,
        'Synchronize both clocks with NTP.',
      ),
    );
  return found;
}

/** We sent no X-Forwarded-For: each entry is one proxy's. */
function inspectProxies({ forwardedFor, trustProxy }: Answer): Finding {
  const says = `${forwardedFor} in X-Forwarded-For, TRUST_PROXY is ${trustProxy}`;
  if (forwardedFor === trustProxy) return ok('proxies', says);
  if (forwardedFor > trustProxy)
    return problem(
      'proxies',
      `${says}: all clients share one address, so one person's failed attempts lock everyone out`,
      `Set TRUST_PROXY=${forwardedFor} if all of these proxies are yours.`,
    );
  return problem(
    'proxies',
    `${says}: clients can forge the address used for rate limits`,
    `Set TRUST_PROXY=${forwardedFor}, or make every proxy append to X-Forwarded-For.`,
  );
}

function inspectHeaders(headers: Headers, config: Pick<Config, 'isSecure'>): Finding {
  const about = 'cookies and https';
  if (!config.isSecure) return ok(about, 'http on loopback, for development only');
  return headers.has('strict-transport-security')
    ? ok(about, 'cookies are Secure and Strict-Transport-Security is sent')
    : warning(
        about,
        'Strict-Transport-Security is stripped on the way',
        'Configure the proxy to keep response headers.',
      );
}
