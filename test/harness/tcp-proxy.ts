// A small TCP proxy between the service and a store, so that a test can take the store away without touching it:
// refuse connections, cut those that exist, keep every byte back for a while, or cut at a chosen statement.
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Cut = 'before' | 'after';

export type TcpProxy = {
  port: number;
  /** Existing connections break, new ones are refused. */
  refuse(): Promise<void>;
  /** Takes connections again. */
  accept(): Promise<void>;
  /** Existing connections break; new ones work. */
  cut(): void;
  /** Not a byte passes in either direction, and no connection ends: a frozen server or a lost route. */
  pause(): void;
  resume(): void;
  /** Existing connections stay open and silent for ever; new ones work. As after a failover to another machine. */
  freeze(): void;
  /**
   * The next time that the service sends `text`, its connection is cut: before the store gets it, or after, with
   * the store's answer lost. Resolves when that has happened.
   */
  cutAt(text: string, when: Cut): Promise<void>;
  /** Packets of the service with this text so far. */
  sent(text: string): number;
  close(): Promise<void>;
};

const EXECUTED_MILLISECONDS = 50;

type Trap = { text: string; when: Cut; sprung: () => void };

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const frozen = new Set<Pair>();
  const packets: Buffer[] = [];
  let isPaused = false;
  let trap: Trap | undefined;

  function handle(client: Socket): void {
    const pair = createPair(client, connect(target));
    pairs.add(pair);
    pair.onEnd(() => pairs.delete(pair));
    if (isPaused) pair.pause();
    client.on('data', (bytes: Buffer) => {
      packets.push(bytes);
      if (!trap || !bytes.includes(trap.text)) return pair.toStore(bytes);
      const { when, sprung } = trap;
      trap = undefined;
      if (when === 'after') return pair.deliverAndCut(bytes, sprung);
      pair.cut();
      sprung();
    });
  }

  let server = await listen(handle, 0);
  const port = portOf(server);
  const cut = () => {
    for (const pair of pairs) pair.cut();
  };
  const refuse = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  };
  return {
    port,
    refuse,
    async accept() {
      if (!server.listening) server = await listen(handle, port);
    },
    cut,
    pause() {
      isPaused = true;
      for (const pair of pairs) pair.pause();
    },
    resume() {
      isPaused = false;
      for (const pair of pairs) pair.resume();
    },
    freeze() {
      for (const pair of pairs) {
        pair.pause();
        frozen.add(pair);
      }
      pairs.clear();
    },
    cutAt: (text, when) =>
      new Promise((sprung) => {
        trap = { text, when, sprung };
      }),
    sent: (text) => packets.filter((bytes) => bytes.includes(text)).length,
    async close() {
      for (const pair of frozen) pair.cut();
      await refuse();
    },
  };
}

type Pair = ReturnType<typeof createPair>;

function createPair(client: Socket, store: Socket) {
  const sockets = [client, store];
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  for (const socket of sockets) {
    socket.setNoDelay(true);
    socket.on('error', cut);
    socket.on('close', cut);
  }
  store.on('data', (bytes: Buffer) => client.write(bytes));
  return {
    cut,
    toStore: (bytes: Buffer) => void store.write(bytes),
    /** The store reads these bytes and acts on them; nobody hears its answer. */
    deliverAndCut(bytes: Buffer, done: () => void) {
      store.removeAllListeners('data');
      const cutNow = () => {
        cut();
        done();
      };
      // Several statements may be in them: all are to be executed. To close it earlier could take back what was sent.
      let silence: NodeJS.Timeout | undefined;
      store.on('data', () => {
        clearTimeout(silence);
        silence = setTimeout(cutNow, EXECUTED_MILLISECONDS);
      });
      store.resume();
      store.write(bytes);
    },
    pause() {
      for (const socket of sockets) socket.pause();
    },
    resume() {
      for (const socket of sockets) socket.resume();
    },
    onEnd: (listener: () => void) => void client.once('close', listener),
  };
}

async function listen(handler: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer({ noDelay: true }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return address.port;
}
