// The events of the service, page by page, for as long as somebody wants them: each question waits for the next event, a
// broken connection is opened again, and the cursor sees to it that nothing is lost or comes twice in between.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { TollgateError } from '../errors.ts';
import { listenAnswerMilliseconds, listeningWaitSeconds, listenRetrySeconds } from '../limits/listening.ts';
import { problemOf, type SentAnswer, send } from './plain-request.ts';

const pageSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string(),
});
export type ListenedEvent = z.output<typeof pageSchema>['data'][number];

type Following = {
  api: string;
  apiKey: string;
  application?: string;
  say(words: string): void;
  signal: AbortSignal;
};

/** @throws TollgateError when asking again would change nothing. */
export async function* followService({ api, apiKey, application, say, signal }: Following) {
  let cursor = 'latest';
  let failures = 0;
  let isFirst = true;
  while (!signal.aborted) {
    const query = new URLSearchParams({ cursor, wait: String(isFirst ? 0 : listeningWaitSeconds) });
    if (application !== undefined) query.set('application_id', application);
    const asked = await ask(`${api}/webhook-events?${query}`, apiKey, signal);
    if (signal.aborted) return;
    if ('problem' in asked) {
      const seconds = asked.retryAfterSeconds ?? delayAfter(failures);
      // A restart of the service is said once, when it does not pass by itself.
      say(`${asked.problem}. Trying again in ${Math.round(seconds)} s; no event is lost.`);
      failures += 1;
      await pause(seconds, signal);
      continue;
    }
    if (failures > 0) say('Connected again.');
    if (isFirst) say('Ready: waiting for events.');
    failures = 0;
    isFirst = false;
    cursor = asked.next_cursor;
    if (asked.data.length > 0) yield asked.data;
  }
}

type Asked = z.output<typeof pageSchema> | { problem: string; retryAfterSeconds?: number | undefined };

async function ask(url: string, apiKey: string, signal: AbortSignal): Promise<Asked> {
  const milliseconds = listeningWaitSeconds * 1000 + listenAnswerMilliseconds;
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  let answer: SentAnswer;
  try {
    answer = await send(url, { method: 'GET', headers, milliseconds, signal });
  } catch (error) {
    return { problem: `${new URL(url).origin} does not answer (${problemOf(error)})` };
  }
  const { status } = answer;
  if (status === 200) {
    const page = pageSchema.safeParse(parsed(answer.body));
    if (page.success) return page.data;
  }
  if (status === 429 || status >= 500) {
    const after = Number(answer.headers['retry-after']);
    return {
      problem: `${new URL(url).origin} answered ${status}`,
      retryAfterSeconds: after >= 1 && after <= MOST_PATIENCE_SECONDS ? after : undefined,
    };
  }
  throw new TollgateError('invalid_request', refusal(url, answer));
}

const MOST_PATIENCE_SECONDS = 300;

function refusal(url: string, { status, body }: SentAnswer): string {
  const api = url.replace(/\/webhook-events\?.*$/, '');
  const said = z.object({ error: z.string(), error_description: z.string() }).safeParse(parsed(body)).data;
  if (status === 401) return 'The API key is not valid, or no longer. Nothing more is received.';
  if (said) return said.error_description;
  return `${api} is no customer-data API (it answered ${status}). Name it with --api, for example --api https://id.example.com/v1.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With as much again by chance, so that not all who were cut off come back at once. */
function delayAfter(failures: number): number {
  return (listenRetrySeconds[failures] ?? listenRetrySeconds.at(-1) ?? 1) * (1 + Math.random());
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
}
