// One attempt at one delivery, for the person who looks for the reason: what was sent, what came back, how long it took.

import type { ComponentChildren } from 'preact';
import type { webhookAttempts } from '../../../drizzle/schema/webhooks.ts';
import { Badge } from '../../page/badge.tsx';
import { Facts } from '../../page/facts.tsx';
import { Time } from '../../page/time.tsx';

type Attempt = typeof webhookAttempts.$inferSelect;

const failureWords: Record<string, string> = {
  blocked_address: 'The host name resolves to an address that is not allowed',
  connection: 'No connection',
  dns: 'The host name could not be resolved',
  invalid_response: 'The response was not HTTP',
  response_too_large: 'The response was over 64 KiB',
  timeout: 'No complete response within 15 s',
  tls: 'TLS failed: certificate or host name',
};

export function answerWords({ responseStatus, failure }: Attempt): string {
  const words = failure === null ? undefined : (failureWords[failure] ?? failure);
  if (words === undefined) return String(responseStatus ?? 'No response');
  return responseStatus === null ? words : `${responseStatus}. ${words}`;
}

export function AttemptDetails({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { number, startedAt, durationMs, requestHeaders, responseBody, responseStatus, failure } = attempt;
  const isAccepted = !failure && responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  return (
    <details class="attempt" {...(isOpen ? { open: true } : {})}>
      <summary>
        <Badge kind={isAccepted ? 'good' : 'bad'}>{isAccepted ? 'Accepted' : 'Failed'}</Badge>{' '}
        <span>
          Attempt {number}, <Time seconds at={startedAt} />
        </span>
      </summary>
      <Facts
        facts={[
          ['Answer', answerWords(attempt)],
          ['Took', `${durationMs.toLocaleString('en')} ms`],
        ]}
      />
      {requestHeaders && (
        <Sent heading="Request headers">
          {Object.entries(requestHeaders)
            .toSorted()
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </Sent>
      )}
      {responseStatus !== null && (
        <Sent heading="Response (first part)">
          {responseBody === null || responseBody === '' ? '(empty)' : responseBody}
        </Sent>
      )}
    </details>
  );
}

function Sent({ heading, children }: { heading: string; children: ComponentChildren }) {
  return (
    <div>
      <h3>{heading}</h3>
      <pre class="copyable-value" {...focusable}>
        {children}
      </pre>
    </div>
  );
}

/** Long lines scroll, also for whoever has only a keyboard. */
const focusable = { tabIndex: 0 };
