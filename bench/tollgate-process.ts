// One process of the compiled service as production runs it, with two doors for the bench: sessions without pages, and
// its own memory and processor time.
import { join } from 'node:path';
import type { Tollgate } from '../src/tollgate.ts';
import { answerCalls } from './processes.ts';
import { sessionCookie } from './session-cookie.ts';
import type { Person } from './sign-in.ts';

const compiled = join(import.meta.dirname, '../dist/src');
const { readConfig }: typeof import('../src/config.ts') = await import(`${compiled}/config.js`);
const { createLog }: typeof import('../src/log.ts') = await import(`${compiled}/log.js`);
const { openStores }: typeof import('../src/stores.ts') = await import(`${compiled}/stores.js`);
const { createTollgate }: typeof import('../src/tollgate.ts') = await import(`${compiled}/tollgate.js`);
const { returnLoadingMemory }: typeof import('../src/loading-memory.ts') = await import(
  `${compiled}/loading-memory.js`
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
      return { port: (await service.listen()).port };
    },
    async people(accountIds: string[]): Promise<Person[]> {
      if (!service) throw new Error('not started');
      const people: Person[] = [];
      for (const accountId of accountIds) {
        people.push({
          cookie: await sessionCookie(service.provider, {
            accountId,
            cookieName: 'tollgate_session',
            cookieKey,
          }),
        });
      }
      return people;
    },
    cpu: () => process.cpuUsage(),
    memory() {
      globalThis.gc?.();
      return process.memoryUsage();
    },
  },
  async () => service?.stop(),
);
