// Burdens of a second process of the same service: one whose machine tells the wrong time, beside itself with the right one.
import { createCompany, subscribe } from '../company.ts';
import type { Answers, Regulars } from './answers.ts';
import type { Burden } from './burden.ts';

const PEOPLE = 32;

/** The bad company signs in through it, and it makes attempts for everybody, idle or not: only its clock is moved. */
export function skewedProcess({ seconds, rate }: { seconds: number; rate: number }): Burden {
  const how = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`;
  return {
    name: `a second process, its clock ${how}`,
    async prepare({ database, endpoints }) {
      const company = await createCompany(database, { applications: 1, people: PEOPLE });
      await subscribe(database, company.workspaceId, `${endpoints.origin}/busy`);
      return {
        accountIds: company.accountIds,
        turns({ service, startService, badDriver }, badPeople) {
          let second: Awaited<ReturnType<typeof startService>> | undefined;
          return {
            async prepare() {
              const BASE_URL = `http://127.0.0.1:${service.target.port}`;
              second = await startService({ BASE_URL, BENCH_CLOCK: 'skewable' });
              const target = { ...second.target, applications: company.applications, people: badPeople };
              await badDriver.call('regulars', {
                target,
                newcomers: [],
                rate,
                newcomersPerRegular: 0,
              } satisfies Regulars);
            },
            begin: async () => second?.child.call('skew', seconds * 1000),
            end: async () => second?.child.call('skew', 0),
            async progress() {
              const { regular = 0 } = await badDriver.call<Answers>('answers');
              return { 'sign-ins': regular, webhooks: await endpoints.call<number>('received', 'busy') };
            },
            async close() {
              await badDriver.call('stop');
              await second?.child.stop();
            },
          };
        },
      };
    },
  };
}
