// A gate in front of PostgreSQL and Redis that counts how often in a row somebody waits for them: whatever is sent passes
// at once, and the answers are kept back until everybody has said what they can say without them.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What one side says, as words for whoever reads a failed test. */
export type Reader = (bytes: Buffer) => string[];
export type Store = { name: string; host: string; port: number; createReader: () => Reader };

/** Everything that was sent without waiting for anything that was sent after the trip before. */
export type Trip = string[];

export type StoreGate = {
  /** Of each store, in their order. */
  ports: number[];
  /** The trips that `work` takes one after the other. */
  count(work: () => Promise<unknown>): Promise<Trip[]>;
  close(): Promise<void>;
};

/** Silence after which nobody will say more. A machine that is busy for longer makes more trips of one, never fewer. */
const QUIET_MILLISECONDS = 15;

type Link = { client: Socket; store: Socket; held: Buffer[]; isAsked: boolean };

export async function openStoreGate(stores: Store[]): Promise<StoreGate> {
  const links = new Set<Link>();
  let trips: Trip[] | undefined;
  let isAnswered = true;
  let spokeAt = 0;

  function open(store: Store, client: Socket): void {
    const link = { client, store: connect(store.port, store.host), held: [] as Buffer[], isAsked: false };
    const read = store.createReader();
    links.add(link);
    client.on('data', (bytes: Buffer) => {
      link.store.write(bytes);
      link.isAsked = true;
      spokeAt = performance.now();
      note(read(bytes).map((text) => `${store.name}: ${text}`));
    });
    link.store.on('data', (bytes: Buffer) => {
      if (!trips) return void client.write(bytes);
      link.isAsked = false;
      spokeAt = performance.now();
      link.held.push(bytes);
    });
    for (const socket of [client, link.store]) {
      socket.setNoDelay(true);
      socket.on('error', () => end(link));
      socket.on('close', () => end(link));
    }
  }

  function end(link: Link): void {
    links.delete(link);
    link.client.destroy();
    link.store.destroy();
  }

  function note(said: string[]): void {
    if (!trips || said.length === 0) return;
    if (isAnswered) trips.push([]);
    isAnswered = false;
    trips.at(-1)?.push(...said);
  }

  function release(): void {
    for (const { held, client } of links) {
      if (held.length === 0) continue;
      isAnswered = true;
      client.write(Buffer.concat(held.splice(0)));
    }
  }

  const isQuiet = () =>
    performance.now() - spokeAt > QUIET_MILLISECONDS && ![...links].some(({ isAsked }) => isAsked);

  const servers = await Promise.all(stores.map((store) => listen((client) => open(store, client))));
  return {
    ports: servers.map(portOf),
    async count(work) {
      for (const link of links) link.isAsked = false;
      const taken: Trip[] = [];
      trips = taken;
      isAnswered = true;
      let isOver = false;
      const working = work().finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await Promise.race([sleep(1), working.catch(() => undefined)]);
        if (!isOver && isQuiet()) release();
      }
      trips = undefined;
      release();
      await working;
      return taken;
    },
    async close() {
      for (const link of links) end(link);
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function listen(handler: (client: Socket) => void): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}
