// Tells a developer which check a received webhook fails, and why: one line for each check, in the order
// in which a receiver makes them. Pure: what was pasted in, sentences out; no sentence holds a secret or a digest.
import { webhookToleranceSeconds } from '../limits/webhooks.ts';
import { bodyVariants, describeDifference } from './body-mistakes.ts';
import { headersCalled, type PastedHeader, type PastedRequest } from './pasted-request.ts';
import {
  type CandidateSecret,
  type Explanation,
  explainSignature,
  readSignature,
  type Written,
} from './signature-mistakes.ts';

export type Check = {
  name: string;
  /** `note`: worth knowing, no reason to refuse. */
  outcome: 'passed' | 'failed' | 'note';
  sentence: string;
};

export type SignatureQuestion = {
  request: PastedRequest;
  /** What the developer's own code computed, when they say so. */
  computed: string;
  secrets: CandidateSecret[];
  /** What was sent under the pasted id, while we have it. */
  sentBody: string | undefined;
  now: Date;
};

export const idHeader = 'x-service-webhook-id';
const TIMESTAMP = 'x-service-webhook-timestamp';
const SIGNATURE = 'x-service-webhook-signature';

export function checkSignature(question: SignatureQuestion): Check[] {
  const { request, secrets, sentBody, now } = question;
  const timestamps = headersCalled(request, TIMESTAMP);
  const signatures = headersCalled(request, SIGNATURE);
  const timestamp = timestamps[0]?.value ?? '';
  const parts = {
    eventId: headersCalled(request, idHeader)[0]?.value ?? '',
    timestamp,
    bodies: bodyVariants(request.body, sentBody),
  };
  const written = readSignature(signatures[0]?.value ?? '');
  const explain = ({ digest }: Written) => explainSignature(digest ?? NO_DIGEST, { secrets, parts });
  const explanation = explain(written);
  const others = [
    presence(timestamps, signatures, request),
    spelling([...timestamps, ...signatures]),
    timestampForm(timestamp),
    ...signatureForm(signatures[0]?.value ?? '', written),
    bodyCheck(question, explanation),
    digestCheck(written, explanation),
  ];
  const tolerance = toleranceCheck(timestamp, now, others);
  const checks = others.toSpliced(TOLERANCE_PLACE, 0, ...tolerance);
  if (question.computed.trim() === '') return checks;
  return [...checks, computedCheck(readSignature(question.computed), explain)];
}

/** What nothing signs: the same work is done when there is nothing to compare with. */
const NO_DIGEST = Buffer.alloc(32);
const TOLERANCE_PLACE = 3;

function presence(timestamps: PastedHeader[], signatures: PastedHeader[], request: PastedRequest): Check {
  const name = 'Both headers are present';
  const found = [
    { header: TIMESTAMP, given: timestamps },
    { header: SIGNATURE, given: signatures },
  ];
  const missing = found.filter(({ given }) => given.length === 0).map(({ header }) => header);
  if (missing.length > 0) {
    const similar = request.headers.filter((header) => /signature|webhook/i.test(header.name));
    const instead = similar.filter((header) => !isOurs(header)).map((header) => header.name);
    const hint =
      instead.length > 0 ? ` There is ${instead.join(' and ')}, which Tollgate does not send.` : '';
    return { name, outcome: 'failed', sentence: `Missing: ${missing.join(' and ')}.${hint}` };
  }
  const twice = found.find(({ given }) => given.length > 1);
  if (twice) return { name, outcome: 'failed', sentence: `${twice.header} is present more than once.` };
  return { name, outcome: 'passed', sentence: `${TIMESTAMP} and ${SIGNATURE}.` };
}

function isOurs({ name }: PastedHeader): boolean {
  return /^(http[-_])?x[-_]service[-_]webhook[-_](id|timestamp|signature|signature[-_]next)$/i.test(name);
}

function spelling(headers: PastedHeader[]): Check {
  const name = 'Names of the headers';
  const other = headers.find(
    (header) => header.name !== header.name.toLowerCase() || header.name.includes('_'),
  );
  if (!other) return { name, outcome: 'passed', sentence: 'Lowercase, as sent.' };
  const sentence = `Your server calls one ${other.name}. HTTP ignores case, but a lookup in your code may not: it was sent in lowercase with hyphens.`;
  return { name, outcome: 'note', sentence };
}

const SECONDS = /^\d{1,12}$/;
const MILLISECONDS = /^\d{13,}$/;

function timestampForm(timestamp: string): Check {
  const name = 'Timestamp is a number of seconds';
  if (SECONDS.test(timestamp)) {
    const at = new Date(Number(timestamp) * 1000);
    return {
      name,
      outcome: 'passed',
      sentence: `It means ${at.toISOString().replace('T', ' ').replace('.000Z', ' UTC')}.`,
    };
  }
  const reason = MILLISECONDS.test(timestamp)
    ? 'It has too many digits, so it may be in milliseconds. It was sent in seconds.'
    : 'It is not a whole number. It was sent as Unix time in seconds, such as 1795255200.';
  return { name, outcome: 'failed', sentence: reason };
}

/** Whoever pastes a request does it later: that alone is no mistake. */
function toleranceCheck(timestamp: string, now: Date, others: Check[]): Check[] {
  if (!SECONDS.test(timestamp)) return [];
  const name = `Within ${webhookToleranceSeconds} seconds of now`;
  const seconds = Math.round(now.getTime() / 1000 - Number(timestamp));
  const off = `${duration(Math.abs(seconds))} ${seconds < 0 ? 'ahead of' : 'behind'} our clock`;
  if (Math.abs(seconds) <= webhookToleranceSeconds) {
    return [{ name, outcome: 'passed', sentence: `It is ${off}.` }];
  }
  if (others.some(({ outcome }) => outcome === 'failed')) {
    return [{ name, outcome: 'failed', sentence: `It is ${off}. A receiver rejects that.` }];
  }
  const sentence = `It is ${off}. That is normal if you paste it later. If your receiver rejects it right away, its clock is wrong.`;
  return [{ name, outcome: 'note', sentence }];
}

function duration(seconds: number): string {
  const units = [
    { size: 86_400, name: 'day' },
    { size: 3_600, name: 'hour' },
    { size: 60, name: 'minute' },
    { size: 1, name: 'second' },
  ];
  const { size, name } = units.find((unit) => seconds >= 2 * unit.size) ?? { size: 1, name: 'second' };
  const count = Math.round(seconds / size);
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
}

function signatureForm(value: string, { label, encoding }: Written): Check[] {
  if (value === '') return [];
  const labelled: Check =
    label === 'v1='
      ? { name: 'Label v1=', outcome: 'passed', sentence: 'The signature begins with it.' }
      : {
          name: 'Label v1=',
          outcome: 'failed',
          sentence: `The signature must begin with v1=${label === '' ? '' : `, not with ${label}`}. Compare the whole header with v1=<hex digest>.`,
        };
  const sentence = {
    hex: 'The digest is 64 lower-case hexadecimal digits.',
    'upper-case hex': 'The digest is in upper case. It was sent in lower case, and the comparison is exact.',
    base64: 'The digest is in base64. It must be in hexadecimal.',
    none: 'What follows is not a SHA-256 digest in hexadecimal: 64 digits of 0–9 and a–f.',
  }[encoding ?? 'none'];
  return [labelled, { name: 'Lower-case hex', outcome: encoding === 'hex' ? 'passed' : 'failed', sentence }];
}

function bodyCheck({ request, sentBody }: SignatureQuestion, explanation: Explanation | undefined): Check {
  const name = 'Body is exact';
  if (request.body === '') return { name, outcome: 'failed', sentence: 'There is no body.' };
  if (explanation) {
    return explanation.body === undefined
      ? { name, outcome: 'passed', sentence: 'It is what was signed, byte for byte.' }
      : { name, outcome: 'failed', sentence: explanation.body };
  }
  if (sentBody === request.body) {
    return { name, outcome: 'passed', sentence: 'It is what was sent under this id, byte for byte.' };
  }
  if (sentBody !== undefined) {
    return { name, outcome: 'failed', sentence: describeDifference(sentBody, request.body) };
  }
  const sentence = `Unknown: no signature matches, and ${idHeader} matches nothing sent to this endpoint in the last 30 days.`;
  return { name, outcome: 'note', sentence };
}

function digestCheck({ digest }: Written, explanation: Explanation | undefined): Check {
  const name = 'Signature is the right one';
  if (!digest) return { name, outcome: 'failed', sentence: 'There is no digest to compare.' };
  if (!explanation) return { name, outcome: 'failed', sentence: UNEXPLAINED };
  if (explanation.signing.length > 0) {
    return { name, outcome: 'failed', sentence: explanation.signing.join(' ') };
  }
  return explanation.body === undefined
    ? {
        name,
        outcome: 'passed',
        sentence: 'Made with the secret of this subscription over this timestamp and body.',
      }
    : {
        name,
        outcome: 'note',
        sentence: 'It is right for the body as it was signed, not for the one pasted.',
      };
}

const UNEXPLAINED =
  'None of the usual mistakes explains it. The secret, the timestamp or the body differs from the one that was signed.';

function computedCheck(written: Written, explain: (written: Written) => Explanation | undefined): Check {
  const name = 'What your code computed';
  const explanation = explain(written);
  if (!written.digest) {
    return {
      name,
      outcome: 'failed',
      sentence: 'It is not a SHA-256 digest, neither in hexadecimal nor in base64.',
    };
  }
  if (!explanation) return { name, outcome: 'failed', sentence: UNEXPLAINED };
  const mistakes = [
    explanation.body,
    ...explanation.signing,
    written.label === 'v1=' ? undefined : 'The label v1= is missing in front of it.',
    written.encoding === 'hex' ? undefined : `It is in ${written.encoding}, not in lower-case hexadecimal.`,
  ].filter((each) => each !== undefined);
  return mistakes.length === 0
    ? { name, outcome: 'passed', sentence: 'It is the right signature.' }
    : { name, outcome: 'failed', sentence: mistakes.join(' ') };
}
