// Requests as a browser of an attacker may send them: each redirect is looked at before it is followed, and a body may
// be held back long after its headers have arrived.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Answer = { status: number; headers: IncomingHttpHeaders; html: string };
export type Sent = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
};
/** The headers are there; the body follows with `release`. */
export type HeldBack = { release(): Promise<Answer> };

export type Wire = {
  send(sent: Sent): Promise<Answer>;
  holdBack(sent: Sent): Promise<HeldBack>;
  close(): void;
};

/** `ports`: of processes that answer for one address; requests take turns. */
export function createWire(ports: number[]): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const start = (sent: Sent) => {
    const { pathname, search, host } = new URL(sent.url);
    turn += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const length = sent.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) };
    const message = request({
      agent,
      host: '127.0.0.1',
      port: ports[turn % ports.length],
      method: sent.method,
      path: pathname + search,
      headers: { ...sent.headers, ...length, host },
    });
    message.on('error', reject);
    message.on('response', (response) => {
      let html = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        html += chunk;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, html }),
      );
    });
    return { message, answer: promise };
  };
  return {
    send(sent) {
      const { message, answer } = start(sent);
      message.end(sent.body);
      return answer;
    },
    async holdBack(sent) {
      const { message, answer } = start(sent);
      message.flushHeaders();
      // Only so that nobody calls it unhandled while the body is held back.
      answer.catch(() => undefined);
      // The service is in this process: by then it has looked at what it looks at before the body.
      await new Promise((resolve) => setTimeout(resolve, HEADERS_MILLISECONDS));
      return {
        release() {
          message.end(sent.body);
          return answer;
        },
      };
    },
    close: () => agent.destroy(),
  };
}

const HEADERS_MILLISECONDS = 8;
