// What webhooks of the two companies are sent to, in a process of its own: one endpoint that answers at once and says how
// late each webhook came, one that hangs, one that is slow, and one that is as quick as it can be.
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issueCertificate } from '../../test/webhooks/sink.ts';
import { answerCalls } from '../processes.ts';

/** By the path of their addresses; `busy` is `quick` for somebody else. */
export const endpointNames = ['good', 'hanging', 'slow', 'quick', 'busy'] as const;
export type EndpointName = (typeof endpointNames)[number];
export type Endpoints = { origin: string; caFile: string };

/** Below the 15 s after which an attempt is given up, and far above what a healthy endpoint takes. */
const SLOW_MILLISECONDS = 5_000;

const received: Record<EndpointName, number> = { good: 0, hanging: 0, slow: 0, quick: 0, busy: 0 };
/** Milliseconds from the event to its arrival, of what the good company received since the last question. */
let delays: number[] = [];
const hanging = new Set<ServerResponse>();

answerCalls({
  async start(): Promise<Endpoints> {
    const authority = await createAuthority();
    const { cert, key } = await issueCertificate({ authority });
    const server = createServer({ cert, key }, answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const caFile = join(await mkdtemp(join(tmpdir(), 'tollgate-neighbours-')), 'ca.pem');
    await writeFile(caFile, authority.cert);
    return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, caFile };
  },
  received: (name: EndpointName) => received[name],
  takeDelays() {
    const taken = delays;
    delays = [];
    return taken;
  },
  arrived: () => delays.length,
  /** Ends what hangs, so that a burden does not last into the next round. */
  letGo() {
    for (const response of hanging) response.destroy();
    hanging.clear();
  },
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const name = endpointNames.find((each) => request.url?.startsWith(`/${each}`)) ?? 'quick';
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received[name] += 1;
    if (name === 'good') delays.push(at - eventTime(Buffer.concat(chunks)));
    if (name === 'hanging') hanging.add(response);
    else if (name === 'slow') setTimeout(() => response.end('ok'), SLOW_MILLISECONDS);
    else response.end('ok');
  });
}

/** By the database's clock, which is this machine's. */
function eventTime(body: Buffer): number {
  return Date.parse(String(JSON.parse(body.toString()).created_at));
}
