// Requests to social identity providers: each ends soon, follows no redirect, and reads no more than an honest answer
// has (threat 52). Whatever a provider does, the person gets a page with the other ways to sign in.
import type { CustomFetch } from 'openid-client';
import { socialAnswerBytes, socialRequestMilliseconds } from '../limits/social.ts';

export const fetchFromProvider: CustomFetch = async (url, { method, headers, body, signal }) => {
  const ends = AbortSignal.timeout(socialRequestMilliseconds);
  const response = await fetch(url, {
    method,
    headers,
    body: body instanceof Uint8Array ? Buffer.from(body) : (body ?? null),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, ends]) : ends,
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new TypeError('the provider redirected where it must answer');
  }
  const bytes = await readBounded(response);
  return new Response(bytes.byteLength > 0 ? bytes : null, response);
};

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > socialAnswerBytes) throw new TypeError('the provider sent more than any answer has');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
