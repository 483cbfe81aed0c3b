// Requests that an engine is answering, for what asks which browser's session it is in (adapters/current-session.ts):
// there, and nowhere else, the engine saves grants.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Provider, { type Adapter } from 'oidc-provider';

export type EngineRequests = {
  /** Runs `work` while the engine answers the browser whose session has this uid. */
  during<T>(uid: string, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** The engine shows the page before a logout, which is ours to write, and meanwhile does what is asked. */
export async function startEngineRequests(): Promise<EngineRequests> {
  const tasks = new Map<string, () => Promise<void>>();
  const provider = new Provider('http://127.0.0.1', {
    adapter: () => everybodysSession,
    jwks: { keys: [] },
    cookies: { keys: ['a key for nobody'], long: { signed: false }, names: { session: 'session' } },
    routes: { end_session: '/logout' },
    ttl: { Session: 3_600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        async logoutSource(ctx) {
          await tasks.get(ctx.get('x-task'))?.();
          ctx.body = 'done';
        },
      },
    },
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const url = `http://127.0.0.1:${address.port}/logout`;
  return {
    async during(uid, work) {
      const task = randomUUID();
      let outcome: ReturnType<typeof work> | undefined;
      tasks.set(task, async () => {
        outcome = work();
        await outcome.catch(() => undefined);
      });
      const answer = await fetch(url, { headers: { cookie: `session=${uid}`, 'x-task': task } });
      await answer.text();
      tasks.delete(task);
      if (!outcome) throw new Error(`the engine answered ${answer.status} without a session`);
      return outcome;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whatever cookie comes: it is the session of that uid. */
const everybodysSession: Adapter = {
  find: async (id) => ({
    kind: 'Session',
    jti: id,
    uid: id,
    accountId: 'somebody',
    loginTs: 1,
    exp: Math.floor(Date.now() / 1000) + 3_600,
  }),
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: async () => undefined,
  destroy: async () => undefined,
  consume: async () => undefined,
  revokeByGrantId: async () => undefined,
};
