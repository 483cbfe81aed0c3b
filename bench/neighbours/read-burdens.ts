// Burdens of reading: the statement page and the files of an application with very many charges.
import { addMember } from '../../src/applications/membership.ts';
import { transaction } from '../../src/database/connection.ts';
import { CSRF_FIELD } from '../../src/http/form.ts';
import { sealStatements } from '../../src/ledger/statement-seal.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { hmac, randomSecret } from '../../src/secrets.ts';
import { addAccount, signInToPages } from '../../test/harness/identity.ts';
import { createCompany } from '../company.ts';
import { fill } from '../fill.ts';
import { type Answers, addUp, type Pages } from './answers.ts';
import type { Burden } from './burden.ts';
import type { Turns } from './rounds.ts';
import type { Foundation, Town } from './town.ts';

/** Windows in which the same page is loaded over and over. */
const VIEWERS = 20;

/** Both burdens read the same application. */
export function readingBurdens(charges: number): Burden[] {
  let filled: Promise<Reader> | undefined;
  const reader = (foundation: Foundation) => {
    filled ??= fillCharges(foundation, charges);
    return filled;
  };
  return [
    {
      name: `statement of ${charges} charges, ${VIEWERS} windows`,
      async prepare(foundation) {
        const { area, ...rest } = await reader(foundation);
        const lane = (cookie: string) => ({ cookie, path: `${area}/statement` });
        const lanes = (cookie: string) => Array.from({ length: VIEWERS }, () => lane(cookie));
        return {
          turns: (town) =>
            readingTurns(
              town,
              rest,
              ({ cookie }) => lanes(cookie),
              ({ 200: pages = 0 }) => ({ pages }),
            ),
        };
      },
    },
    {
      name: `export of ${charges} customers, download of their month`,
      async prepare(foundation) {
        const { area, ...rest } = await reader(foundation);
        const lanes = ({ cookie, token }: Visit) => [
          {
            cookie,
            path: `${area}/customers/export`,
            form: { format: 'csv', [CSRF_FIELD]: token(`${area}/customers/export`) },
            // A company exports ten times an hour.
            instead: `${area}/statement/csv`,
          },
          { cookie, path: `${area}/statement/csv` },
        ];
        return {
          turns: (town) => readingTurns(town, rest, lanes, ({ bytes = 0 }) => ({ bytes })),
        };
      },
    },
  ];
}

type Reader = { area: string; signIn(): Promise<Visit> };
type Visit = { cookie: string; token(form: string): string };

async function fillCharges({ database }: Foundation, charges: number): Promise<Reader> {
  const { db } = database.connection;
  const company = await createCompany(database, { applications: 1, people: 1 });
  const now = new Date();
  await fill(database, company, charges, now);
  while ((await sumUpDays(db, now)) > 0);
  while ((await sealStatements(db, now)) > 0);
  const { workspaceId } = company;
  const account = await transaction(db, async (tx) => {
    const owner = await addAccount(tx, { email: 'owner@bad.example.test' });
    await addMember(tx, { workspaceId, accountId: owner.id, role: 'owner', now });
    return owner;
  });
  return {
    area: `/settings/${workspaceId}/applications/${company.applications[0]?.id}`,
    async signIn() {
      const browser = randomSecret();
      const { token } = await signInToPages(db, { area: 'settings', account, browser });
      return {
        cookie: `tollgate_settings=${token}; tollgate_browser=${browser}`,
        token: (form) => hmac(database.keys.csrf, browser, form),
      };
    },
  };
}

function readingTurns(
  { badDriver, service }: Town,
  { signIn }: Pick<Reader, 'signIn'>,
  lanes: (visit: Visit) => Pages['lanes'],
  done: (answers: Answers) => Record<string, number>,
): Turns {
  const total: Answers = {};
  return {
    async begin() {
      const origin = `http://127.0.0.1:${service.target.port}`;
      await badDriver.call('pages', { origin, lanes: lanes(await signIn()) } satisfies Pages);
    },
    end: async () => addUp(total, await badDriver.call<Answers>('stop')),
    progress: async () => done(total),
    refused: () => ({ 'told to come again': total[429] ?? 0 }),
  };
}
