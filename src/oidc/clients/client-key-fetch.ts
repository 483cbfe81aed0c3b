// The key set of a company's backend, fetched from the company's own address: by the sender that webhooks use, so that
// nobody makes us call our own network, within bounds of time and bytes, and not again while it does not answer.
import {
  clientKeySetCacheSeconds,
  clientKeySetFailureSeconds,
  clientKeySetFailuresKept,
} from '../../limits/assurance.ts';
import type { SafeRequest } from '../../webhooks/safe-request.ts';

export type FetchForEngine = (address: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * For the engine's `fetch`: nothing else of what it could fetch is switched on.
 * @param createSender called once somebody has such an address.
 */
export function createClientKeyFetch(
  createSender: () => Promise<SafeRequest>,
  now = () => Date.now(),
): FetchForEngine {
  let sender: Promise<SafeRequest> | undefined;
  /** By address: when it may be asked again. In the order in which they failed. */
  const failed = new Map<string, number>();

  function noteFailure(url: string): void {
    failed.delete(url);
    failed.set(url, now() + clientKeySetFailureSeconds * 1000);
    const [oldest] = failed.keys();
    if (failed.size > clientKeySetFailuresKept && oldest !== undefined) failed.delete(oldest);
  }

  return async (address) => {
    const url = address instanceof Request ? address.url : String(address);
    if ((failed.get(url) ?? 0) > now()) throw new Error('the key set did not arrive a moment ago');
    sender ??= createSender();
    const send = await sender;
    const answer = await send({ method: 'GET', url, headers: { accept: 'application/json' } });
    if (answer.failure !== undefined || answer.status !== 200) {
      noteFailure(url);
      throw new Error(`the key set did not arrive: ${answer.failure ?? answer.status}`);
    }
    failed.delete(url);
    // In place of what the address says: a key that was taken away must not be trusted for a year.
    const headers = { 'cache-control': `max-age=${clientKeySetCacheSeconds}` };
    return new Response(new Uint8Array(answer.body), { status: 200, headers });
  };
}
