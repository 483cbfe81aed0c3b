// A wire between the service and one of its neighbours (PostgreSQL, Redis, the mail server, its own clients): every
// chunk in either direction is a point of the fuse. When that blows, the neighbour sees the connection closed, as the
// kernel would close it for a killed process; the service sees silence until `cut`, when it may be thrown away.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Fuse } from './fuse.ts';

export type Wire = {
  port: number;
  /** Ends both sides and stops listening. */
  cut(): Promise<void>;
};

export type WireOptions = {
  name: string;
  fuse: Fuse;
  to: { host: string; port: number };
  /** Which end the service is: it calls a database, and is called by a browser. */
  service: 'caller' | 'called';
  port?: number;
};

export async function startWire(options: WireOptions): Promise<Wire> {
  const { name, fuse, to, service } = options;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.setNoDelay());
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    const called = connect(to);
    keep(caller);
    keep(called);
    const neighbour = service === 'caller' ? called : caller;
    void fuse.blown.then(() => neighbour.destroy());
    pipe({ from: caller, into: called, place: `${name} ←`, fuse });
    pipe({ from: called, into: caller, place: `${name} →`, fuse });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire has no TCP port');
  return {
    port: address.port,
    async cut() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

function pipe(options: { from: Socket; into: Socket; place: string; fuse: Fuse }): void {
  const { from, into, place, fuse } = options;
  from.on('data', (chunk) => {
    if (!fuse.pass(place)) return;
    if (!fuse.breaks) return void into.write(chunk);
    from.destroy();
    into.destroy();
  });
  from.on('end', () => fuse.isBlown || into.end());
  from.on('close', () => fuse.isBlown || into.destroySoon());
}
