// A load balancer of forty lines: each connection goes to the next process that takes it.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Balancer = { close(): Promise<void> };

export async function startBalancer(port: number, backends: number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;

  function handle(client: Socket): void {
    turn += 1;
    const order = backends.map((_, index) => backends[(turn + index) % backends.length] ?? 0);
    client.pause();
    sockets.add(client);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    tryNext(client, order);
  }

  /** Only refused connections move on: a process that died with a request in hand may have acted on it. */
  function tryNext(client: Socket, order: number[]): void {
    const [backend, ...rest] = order;
    if (backend === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ host: '127.0.0.1', port: backend, noDelay: true });
    server.once('connect', () => {
      server.off('error', onRefused);
      server.on('error', () => server.destroy()).on('close', () => client.destroy());
      client.on('close', () => server.destroy());
      client.pipe(server).pipe(client);
    });
    const onRefused = () => tryNext(client, rest);
    server.once('error', onRefused);
  }

  const server = createServer({ noDelay: true }, handle);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
