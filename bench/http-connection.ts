// One keep-alive connection that asks and waits, as a client of the services under test. Written by hand, because on
// a machine with few cores every microsecond of the load driver is taken from what it measures.
import { connect, type Socket } from 'node:net';

export type HttpAnswer = { status: number; head: string; body: string };

export type HttpConnection = {
  /** `request` is the whole text of an HTTP/1.1 request. One at a time. */
  ask(request: string): Promise<HttpAnswer>;
  close(): void;
};

type Waiting = { resolve(answer: HttpAnswer): void; reject(error: Error): void };

export async function openHttpConnection(port: number): Promise<HttpConnection> {
  const socket = await connected(port);
  let received = '';
  let waiting: Waiting | undefined;
  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    // A 408 that nobody asked for ends a connection that was idle too long.
    if (!waiting) return void socket.destroy();
    const answer = completeAnswer(received);
    if (!answer) return;
    received = '';
    const { resolve } = waiting ?? {};
    waiting = undefined;
    resolve?.(answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Both services answer with a length; anything else would be a change that this bench should know about. */
function completeAnswer(received: string): HttpAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = received.slice(0, end);
  const length = headerOf(head, 'content-length');
  if (length === undefined) throw new Error(`an answer without a length: ${head}`);
  const body = received.slice(end + 4);
  return body.length < Number(length) ? undefined : { status: Number(head.slice(9, 12)), head, body };
}

export function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1];
}
