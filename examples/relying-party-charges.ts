// Reads the usage events of one customer from the customer-data API. Server side only: the key can read
// every customer of the workspace.
import type { Charges } from './relying-party-pages.tsx';

type Access = {
  apiBaseUrl?: string | undefined;
  apiKey?: string | undefined;
  applicationId?: string | undefined;
  hasWebhook?: (eventId: string) => boolean;
  sub: string;
};
type EventsAnswer = {
  data: { id: string; kind: string; amount: string; currency: string; status: string; occurred_at: string }[];
};

const timeoutMilliseconds = 5_000;

export async function fetchCharges(access: Access): Promise<Charges> {
  const { apiBaseUrl, apiKey, applicationId, hasWebhook, sub } = access;
  if (!apiBaseUrl || !apiKey || !applicationId) return undefined;
  const query = new URLSearchParams({ sub, limit: '10' });
  try {
    const response = await fetch(`${apiBaseUrl}/applications/${applicationId}/events?${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status === 429) return { problem: `Too many questions; ask again in ${wait(response)}.` };
    if (!response.ok) return { problem: `The customer-data API answered ${response.status}.` };
    const { data }: EventsAnswer = await response.json();
    const list = data.map(({ occurred_at: occurredAt, ...event }) => ({
      ...event,
      occurredAt,
      webhook: hasWebhook && webhookState(hasWebhook(event.id)),
    }));
    return { list };
  } catch (error) {
    console.error(error);
    return { problem: 'The customer-data API could not be reached.' };
  }
}

function webhookState(hasArrived: boolean): 'verified' | 'on its way' {
  return hasArrived ? 'verified' : 'on its way';
}

function wait(response: Response): string {
  return `${response.headers.get('retry-after') ?? 'a few'} seconds`;
}
