// A free TCP port on loopback: {base_url} must be known before the service listens. Nobody else gets it in between: it is
// below the ports that systems give to outgoing connections, and a file tells other tests that it is taken.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux gives 32768 and above to connections, others 49152 and above. */
const PORTS = { first: 20_000, count: 12_000 };
const claims = join(tmpdir(), 'tollgate-test-ports');

/** For as long as this process lives. */
export async function freePort(): Promise<number> {
  await mkdir(claims, { recursive: true });
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
}

/** Of two that claim the same one, one makes the file. */
async function claim(port: number): Promise<boolean> {
  const file = join(claims, String(port));
  const made = await open(file, 'wx').catch(() => undefined);
  if (made) {
    await made.writeFile(String(process.pid));
    await made.close();
    return true;
  }
  const owner = Number(await readFile(file, 'utf8').catch(() => ''));
  // Whoever comes next may have it: of those who find it now, two could think that it is theirs.
  if (owner > 0 && !isAlive(owner)) await rm(file, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Programs that know nothing of the files have ports as well. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
