// One process of the service as production runs it, with two doors for the bench: sessions without pages, and its own
// memory and processor time.
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { openStores } from '../src/stores.ts';
import { createTollgate, type Tollgate } from '../src/tollgate.ts';
import { answerCalls } from './processes.ts';
import { sessionCookie } from './session-cookie.ts';
import type { Person } from './sign-in.ts';

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
    memory: () => process.memoryUsage(),
  },
  async () => service?.stop(),
);
