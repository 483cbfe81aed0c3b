// How `tollgate credit …` reaches a running embedded service, which alone may open its database: a Unix socket
// in the data directory, for the user of the service only. One JSON line asks, one JSON line answers.
import { chmod, lstat, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TollgateError } from '../errors.ts';
import { operatorAnswerMilliseconds, operatorRequestBytes, socketPathBytes } from '../limits/operator.ts';
import type { Log } from '../log.ts';
import type { Answer } from './operation.ts';
import type { Operator } from './operator.ts';

/** Written into the data directory when its own path is too long for a socket: where the socket is instead. */
const signpost = 'socket-path';

const requestSchema = z.strictObject({ operation: z.string(), input: z.unknown() });
const responseSchema = z.union([
  z.object({ answer: z.record(z.string(), z.json()) }),
  z.object({ error: z.object({ code: z.string(), description: z.string() }) }),
]);
type Response = z.infer<typeof responseSchema>;

export type OperatorSocket = { path: string; close(): Promise<void> };

/** Call it with the data directory's lock held: what is left of an earlier socket is removed. */
export async function serveOperator(options: {
  dataDirectory: string;
  operator: Operator;
  log: Log;
}): Promise<OperatorSocket> {
  await removeSocket(options.dataDirectory);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket.on('close', () => connections.delete(socket)));
    answerOne(socket, options).catch((error: unknown) => {
      options.log.warn({ err: error }, 'operator socket: connection failed');
      socket.destroy();
    });
  });
  const path = await listen(server, options.dataDirectory);
  return {
    path,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Whoever is still waiting for an answer gets it; whoever has not asked yet is cut off.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      await closed;
      await removeSocket(options.dataDirectory);
    },
  };
}

/** The operations of the service that runs on this data directory, or undefined when none does. */
export async function connectOperator(dataDirectory: string): Promise<Operator | undefined> {
  const path = await socketPath(dataDirectory);
  const probe = path === undefined ? undefined : await connect(path);
  if (path === undefined || !probe) return undefined;
  probe.destroy();
  return async (operation, input) => {
    const socket = await connect(path);
    if (!socket) throw new TollgateError('service_unavailable', 'The service has just stopped. Try again.');
    socket.setTimeout(operatorAnswerMilliseconds, () => socket.destroy());
    socket.write(`${JSON.stringify({ operation, input })}\n`);
    return unwrap(await readLine(socket, Number.POSITIVE_INFINITY));
  };
}

async function answerOne(socket: Socket, options: { operator: Operator; log: Log }): Promise<void> {
  socket.setTimeout(operatorAnswerMilliseconds, () => socket.destroy());
  const line = await readLine(socket, operatorRequestBytes);
  if (line === undefined) return;
  const response = await respond(line, options);
  socket.end(`${JSON.stringify(response)}\n`);
}

async function respond(line: string, { operator, log }: { operator: Operator; log: Log }): Promise<Response> {
  try {
    const { operation, input } = requestSchema.parse(JSON.parse(line));
    return { answer: await operator(operation, input) };
  } catch (error) {
    if (error instanceof TollgateError)
      return { error: { code: error.code, description: error.description } };
    log.error({ err: error }, 'operator socket: an operation failed');
    const description = 'The operation failed inside the service. See its log for details.';
    return { error: { code: 'server_error', description } };
  }
}

function unwrap(line: string | undefined): Answer {
  if (line === undefined) {
    throw new TollgateError(
      'service_unavailable',
      'The service stopped before it answered. The operation may have completed: check before you repeat it.',
    );
  }
  const response = responseSchema.parse(JSON.parse(line));
  if ('answer' in response) return response.answer;
  throw new TollgateError('conflict', response.error.description, { detail: response.error.code });
}

/** Up to the first newline, or undefined when the other side leaves before it or says too much. */
async function readLine(socket: Socket, maximumBytes: number): Promise<string | undefined> {
  let text = '';
  socket.setEncoding('utf8');
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const end = text.indexOf('\n');
      if (end >= 0) return text.slice(0, end);
      if (text.length > maximumBytes) break;
    }
  } catch {
    return undefined;
  }
  socket.destroy();
  return undefined;
}

function connect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
  });
}

/** Beside the data where that fits; in a private directory of the system's temporary one where it does not. */
async function listen(server: Server, dataDirectory: string): Promise<string> {
  const usual = join(dataDirectory, 'tollgate.sock');
  if (Buffer.byteLength(usual) <= socketPathBytes) return listenAt(server, usual);
  const path = join(await mkdtemp(join(tmpdir(), 'tollgate-')), 'sock');
  await listenAt(server, path);
  await writeFile(join(dataDirectory, signpost), path, { mode: 0o600 });
  return path;
}

async function listenAt(server: Server, path: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(path, 0o600);
  return path;
}

/** undefined when the socket that the signpost names is not ours to talk to. */
async function socketPath(dataDirectory: string): Promise<string | undefined> {
  const elsewhere = await readFile(join(dataDirectory, signpost), 'utf8').catch(() => undefined);
  if (elsewhere === undefined) return join(dataDirectory, 'tollgate.sock');
  // After a crash and a reboot someone else could have made a directory of that name in the shared temporary one.
  const owner = await lstat(dirname(elsewhere)).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return owner === undefined || owner === process.getuid?.() ? elsewhere : undefined;
}

async function removeSocket(dataDirectory: string): Promise<void> {
  const path = await socketPath(dataDirectory);
  await rm(join(dataDirectory, signpost), { force: true });
  if (path === undefined) return;
  await rm(path, { force: true });
  // Only ever the directory that mkdtemp made, and only if it is empty.
  if (dirname(path) !== dataDirectory) await rmdir(dirname(path)).catch(() => undefined);
}
