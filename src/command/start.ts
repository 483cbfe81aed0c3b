// `tollgate start`: the service as a process, from its environment to the last signal.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { listWorkspaces } from '../applications/workspace.ts';
import { systemClock } from '../clock.ts';
import { type Config, misspeltSettings, readConfig } from '../config/config.ts';
import { NAME_THE_AUTHORITY } from '../config/unknown-authority.ts';
import { TollgateError } from '../errors.ts';
import { readinessPollMilliseconds } from '../limits/operations.ts';
import { databaseWaitMilliseconds } from '../limits/stores.ts';
import { createLog, type Log } from '../log.ts';
import { serveOperator } from '../operator/socket.ts';
import { tryMailServer } from '../queue/mail.ts';
import { createDemoWorkspace } from '../service/demo-workspace.ts';
import { readEnvironment } from '../service/environment.ts';
import { keepCompiledCode, returnLoadingMemory } from '../service/startup-memory.ts';
import { openStores, type Stores } from '../service/stores.ts';
import { welcome } from '../service/welcome.ts';
import { createTollgate, type Tollgate } from '../tollgate.ts';
import { terminalLog } from './terminal-log.ts';

type Parts = { config: Config; log: Log; stores: Stores };

export async function runStart(): Promise<void> {
  const environment = readEnvironment();
  for (const sentence of misspeltSettings(environment)) console.error(`tollgate: ${sentence}`);
  const config = readConfig(environment);
  // The log has its own stream: whoever collects it does not collect the demo's secrets with it.
  const destination = process.stderr.isTTY
    ? terminalLog(process.stderr)
    : pino.destination({ fd: 2, sync: false });
  const log = createLog({ level: config.logLevel, destination });
  const stores = await openStores({ config, log, databaseWaitMilliseconds });
  try {
    await startService({ config, log, stores });
  } catch (error) {
    await stores.close();
    throw explained(error, config);
  }
}

async function startService(parts: Parts): Promise<void> {
  const { config, log, stores } = parts;
  const tollgate = await createTollgate(parts);
  try {
    await tollgate.listen();
    keepCompiledCode();
    returnLoadingMemory();
    const closeSocket = config.databaseUrl ? undefined : await serveCommands(parts, tollgate);
    stopOnSignal(log, async () => {
      tollgate.beginShutdown();
      // Load balancers ask every few seconds; until they know, they send requests, and these are answered.
      await sleep(config.shutdownDelaySeconds * 1000);
      await closeSocket?.();
      await tollgate.stop();
      await stores.close();
    });
    if (await untilReady(tollgate, log)) await showWelcome(parts);
    await lookAtMail(config, log);
  } catch (error) {
    await tollgate.stop();
    throw error;
  }
}

const storeNames: Record<string, string> = {
  database: 'the database (DATABASE_URL)',
  redis: 'Redis (REDIS_URL)',
};

/** It listens already, and refuses with 503 what needs the store that is away. @returns false when it stops before. */
async function untilReady(tollgate: Tollgate, log: Log): Promise<boolean> {
  for (let isSaid = false; ; isSaid = true) {
    const { ready, checks } = await tollgate.ready();
    if (ready) return true;
    if (checks.running?.ok === false) return false;
    const away = Object.keys(checks).filter((name) => !checks[name]?.ok);
    const names = away.map((name) => storeNames[name] ?? name).join(' and ');
    if (!isSaid) log.warn(`Not ready: waiting for ${names}. Requests that need it get 503 until it answers`);
    await sleep(readinessPollMilliseconds);
  }
}

/** Nobody can sign in by a code without it, and without this nobody would hear before the first person waits for one. */
async function lookAtMail({ smtpUrl }: Config, log: Log): Promise<void> {
  const problem = smtpUrl ? await tryMailServer(smtpUrl) : undefined;
  if (!smtpUrl || !problem) return;
  const { reason } = problem;
  const { host } = new URL(smtpUrl);
  const advice = problem.isUnknownAuthority ? `. ${NAME_THE_AUTHORITY}` : '';
  log.warn(
    { reason },
    `The mail server ${host} takes no mail (SMTP_URL). Mails wait, and are tried again${advice}`,
  );
}

/** Without the socket the service is whole; only commands have to wait until it stops. */
async function serveCommands({ config, log }: Parts, { operator }: Tollgate) {
  try {
    const socket = await serveOperator({ dataDirectory: resolve(config.dataDir), operator, log });
    return socket.close;
  } catch (error) {
    log.warn({ err: error }, 'no operator socket: commands work only while the service is stopped');
    return undefined;
  }
}

/** The demo is made after listening succeeded, so that its secrets are not lost to a port that was taken. */
async function showWelcome({ config, stores }: Parts): Promise<void> {
  const { db } = stores.connection;
  const wantsDemo = config.databaseUrl === undefined && config.isLoopback;
  const demo = wantsDemo
    ? await createDemoWorkspace({ db, keys: stores.keys, clock: systemClock, config })
    : undefined;
  const isEmpty = (await listWorkspaces(db)).length === 0;
  const dataDirectory = config.databaseUrl === undefined ? resolve(config.dataDir) : undefined;
  process.stdout.write(welcome({ config, dataDirectory, demo, isEmpty }));
}

function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let isStopping = false;
  // npm passes on a Ctrl-C that the terminal has sent us as well: the second one must not cut the first short.
  const once = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => once(signal));
  // src/cli.ts, when it had to start us on another Node, and it is gone.
  if (process.connected) process.on('disconnect', () => once('parent gone'));
}

function explained(error: unknown, { host, port }: Config): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const reason = error.code === 'EACCES' ? 'needs more rights' : 'is taken by another program';
  return new TollgateError('conflict', `Port ${port} on ${host} ${reason}; choose another one with PORT.`, {
    cause: error,
  });
}
