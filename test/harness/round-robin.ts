// A small load balancer: sends each request to the next process that says it is ready, over kept connections, and
// never sends one twice. What a process refuses or cuts off is therefore seen by the client.
import { Agent, createServer, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Target = { port: number; operationsPort: number };

export type RoundRobin = {
  /** Requests that could not be passed on, or whose answer broke off. */
  failures: string[];
  readyCount(): number;
  stop(): Promise<void>;
};

export async function startRoundRobin(port: number, targets: Target[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<Target>();
  const failures: string[] = [];
  let turn = 0;
  let stopped = false;
  const server = createServer((request, response) => {
    const candidates = targets.filter((target) => ready.has(target));
    turn += 1;
    const target = candidates[turn % Math.max(1, candidates.length)];
    const fail = (reason: string) => {
      failures.push(`${request.method} ${request.url?.split('?')[0]}: ${reason}`);
      if (!response.headersSent) response.writeHead(502);
      response.end();
    };
    if (!target) return fail('no process is ready');
    const onward = send(
      {
        agent,
        host: '127.0.0.1',
        port: target.port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        answer.on('error', (error) => fail(error.message));
      },
    );
    onward.on('error', (error) => fail(error.message));
    request.pipe(onward);
  });
  // Longer than any pause of a client on a busy machine: who closes first must not be left to chance.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const probe = async (target: Target) => {
    const answer = await fetch(`http://127.0.0.1:${target.operationsPort}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) ready.add(target);
    else ready.delete(target);
  };
  const probing = (async () => {
    while (!stopped) {
      await Promise.all(targets.map(probe));
      await sleep(150);
    }
  })();
  return {
    failures,
    readyCount: () => ready.size,
    async stop() {
      stopped = true;
      await probing;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
