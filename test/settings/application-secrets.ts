// Client Secrets of applications: as a page shows them once, and as the token endpoint takes them.
import { exchange, type Service } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';

/** What the token endpoint says of a secret: with a right one it gets as far as the made-up code. */
export async function answerTo(
  service: Service,
  application: RegisteredApplication,
  clientSecret: string,
): Promise<unknown> {
  const { body } = await exchange(
    service,
    { ...application, clientSecret },
    { code: 'made-up', verifier: 'v'.repeat(43) },
  );
  return body.error;
}

export const secretIn = (html: string) => /data-copy-value[^>]*>([\w-]{43})</.exec(html)?.[1] ?? '';
