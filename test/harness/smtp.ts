// A mail server for tests: real SMTP over a real socket, logging every envelope and message, with one behaviour per
// connection so that it can greylist, refuse, stall or hang up.
import { createServer, type Server, type Socket } from 'node:net';

export type Envelope = { from: string; to: string[]; message: string };

export type Behaviour = {
  /** Reply to a command, by its first word ('MAIL', 'RCPT', 'DATA', '.'), instead of 250. */
  replies?: Record<string, string>;
  /** The word after which the connection is cut without a reply; 'CONNECT' for at once. */
  dropAt?: string;
  /** Milliseconds before the greeting. */
  greetAfter?: number;
};

export type TestSmtp = Awaited<ReturnType<typeof startSmtp>>;

/** Connections take one behaviour each, in order; the last one stays. */
export async function startSmtp(behaviours: Behaviour[] = [{}], wantedPort = 0) {
  const accepted: Envelope[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const state = { connections: 0, behaviours };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const { behaviours: list } = state;
    const behaviour = list[Math.min(state.connections, list.length - 1)] ?? {};
    state.connections += 1;
    converse(socket, behaviour, { accepted, lines });
  });
  const port = await listenOn(server, wantedPort);
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    /** Every line that a client sent, message bodies included. */
    lines,
    state,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenOn(server: Server, wantedPort: number): Promise<number> {
  return new Promise((resolve) => {
    server.listen(wantedPort, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

type Journal = { accepted: Envelope[]; lines: string[] };

function converse(socket: Socket, behaviour: Behaviour, journal: Journal): void {
  let envelope: Envelope = { from: '', to: [], message: '' };
  let isMessage = false;
  let buffered = '';
  const answer = (word: string, usual: string) => {
    if (behaviour.dropAt === word) socket.destroy();
    else socket.write(`${behaviour.replies?.[word] ?? usual}\r\n`);
  };
  const onLine = (line: string) => {
    journal.lines.push(line);
    if (isMessage && line !== '.') {
      envelope.message += `${line}\n`;
      return;
    }
    const word = line === '.' ? '.' : line.slice(0, 4).toUpperCase();
    if (word === 'MAIL') envelope = { from: pathIn(line), to: [], message: '' };
    if (word === 'RCPT') envelope.to.push(pathIn(line));
    const reply = behaviour.replies?.[word] ?? '250 ok';
    isMessage = word === 'DATA' && !/^[45]/.test(reply);
    if (word === '.' && reply.startsWith('250')) journal.accepted.push(envelope);
    if (word === 'QUIT') socket.end('221 bye\r\n');
    else answer(word, word === 'DATA' ? '354 go on' : '250 ok');
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    buffered += chunk;
    const complete = buffered.split('\r\n');
    buffered = complete.pop() ?? '';
    for (const line of complete) onLine(line);
  });
  const greeting = setTimeout(() => answer('CONNECT', '220 test ESMTP'), behaviour.greetAfter ?? 0);
  socket.on('close', () => clearTimeout(greeting));
}

function pathIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
