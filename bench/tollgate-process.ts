// One process of the compiled service as production runs it, with doors for the bench: sessions without pages, its own
// memory and processor time, and its clock.
import { join } from 'node:path';
import type { Tollgate } from '../src/tollgate.ts';
import { loadWithout } from './ablation/exchange.ts';
import { answerCalls } from './processes.ts';
import { sessionCookie } from './session-cookie.ts';
import { installClock, skewClock } from './skewed-clock.ts';

export type EngineSession = { accountId: string; cookie: string; uid: string };

// Before anything else takes the Date that there is.
if (process.env.BENCH_CLOCK === 'skewable') installClock();
const { BENCH_WITHOUT: piece } = process.env;
const ablation = piece === undefined ? undefined : loadWithout(piece);
/** Another build may be compared with this one (`--beside`). */
const compiled = join(process.env.BENCH_BUILD ?? join(import.meta.dirname, '../dist'), 'src');
const { readConfig }: typeof import('../src/config/config.ts') = await import(`${compiled}/config/config.js`);
const { createLog }: typeof import('../src/log.ts') = await import(`${compiled}/log.js`);
const { openStores }: typeof import('../src/service/stores.ts') = await import(
  `${compiled}/service/stores.js`
);
const { createTollgate }: typeof import('../src/tollgate.ts') = await import(`${compiled}/tollgate.js`);
const { returnLoadingMemory }: typeof import('../src/service/startup-memory.ts') = await import(
  `${compiled}/service/startup-memory.js`
);

let service: Tollgate | undefined;
let cookieKey = '';

answerCalls(
  {
    async start() {
      const config = readConfig(process.env);
      const log = createLog({ level: config.logLevel });
      const stores = await openStores({ config, log });
      cookieKey = stores.keys.cookies[0] ?? '';
      service = await createTollgate({ config, log, stores });
      returnLoadingMemory();
      ablation?.assertExchanged();
      return { port: (await service.listen()).port };
    },
    /** What the engine keeps of a session; service.ts adds what the database keeps. */
    async sessions(accountIds: string[]): Promise<EngineSession[]> {
      if (!service) throw new Error('not started');
      const sessions: EngineSession[] = [];
      for (const accountId of accountIds) {
        const options = { accountId, cookieName: 'tollgate_session', cookieKey };
        sessions.push({ accountId, ...(await sessionCookie(service.provider, options)) });
      }
      return sessions;
    },
    skew: skewClock,
    cpu: () => process.cpuUsage(),
    memory() {
      globalThis.gc?.();
      return process.memoryUsage();
    },
  },
  async () => service?.stop(),
);
