// Moving from the embedded database to PostgreSQL with `tollgate export` and `import`, as real commands: everything
// arrives, the books agree on both sides, and people and applications go on as if nothing had happened.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getTableName, sql } from 'drizzle-orm';
import { everyTable } from '../../drizzle/every-table.ts';
import { rowsOf } from '../../src/database/connection.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import {
  type Client,
  exchange,
  readCallback,
  refresh,
  type Service,
  startAttempt,
} from '../harness/client.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, openEmptyPostgres, type TestDatabase } from '../harness/database.ts';

const CALLBACK = 'https://shop.example/callback';
const describeWithPostgres = (await hasPostgres()) ? describe : describe.skip;

describeWithPostgres('export from the embedded database, import into PostgreSQL', () => {
  let tollgate: CommandLine;
  let target: TestDatabase;
  let client: Client & { applicationId: string };
  let refreshToken: string;
  let file: string;
  const browser = createBrowser();

  beforeAll(async () => {
    tollgate = await createCommandLine();
    target = await openEmptyPostgres();
    file = join(tollgate.directory, 'copy.ndjson');
    const service = await tollgate.start();
    const made = await tollgate.json(`application create --name Shop --callback ${CALLBACK}`);
    client = {
      applicationId: String(made.applicationId),
      clientId: String(made.clientId),
      clientSecret: String(made.clientSecret),
      redirectUris: [CALLBACK],
    };
    // More micro-units than JavaScript's numbers can tell apart.
    const credit = (reference: number) =>
      tollgate.json(`credit ${client.applicationId} 999999999.999999 --reference r${reference}`);
    await Promise.all(Array.from({ length: 10 }, (_, reference) => credit(reference)));
    refreshToken = String((await signIn(service)).body.refresh_token);
    await service.stop('SIGTERM');
  });

  afterAll(async () => {
    await tollgate.remove();
    await target.remove();
  });

  async function signIn(service: Service) {
    const attempt = startAttempt(service, client, { scope: 'openid email profile offline_access' });
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      email: 'ada@example.test',
      name: 'Ada',
      browser,
    });
    return exchange(service, client, { code: readCallback(callback).code ?? '', verifier: attempt.verifier });
  }

  const onTarget = (line: string) =>
    tollgate.run(`${line} --json`, { DATABASE_URL: target.databaseUrl ?? '' });

  test('the export is one file that only its owner reads, and never overwrites another', async () => {
    expect(await tollgate.json(`export ${file}`)).toMatchObject({ file, rows: expect.any(Number) });
    const again = await tollgate.run(`export ${file}`);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/exist/i);
  });

  test('a damaged file is refused whole', async () => {
    const whole = await readFile(file, 'utf8');
    const damaged = join(tollgate.directory, 'damaged.ndjson');
    const lines = whole.split('\n');
    for (const text of [
      lines.slice(0, -2).join('\n'),
      lines.filter((line) => !line.includes('"code":"charge"')).join('\n'),
      lines.slice(1).join('\n'),
      `${whole.replace(/"table":"accounts"/g, '"table":"pg_class"')}`,
    ]) {
      await writeFile(damaged, text);
      const refused = await onTarget(`import ${damaged}`);
      expect(refused.code).toBe(1);
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    }
    await appendFile(damaged, '');
  });

  test('everything arrives, and the books agree on both sides', async () => {
    const imported = await onTarget(`import ${file}`);
    expect(imported).toMatchObject({ code: 0 });
    const [here, there] = [await tollgate.run('application list --json'), await onTarget('application list')];
    expect(JSON.parse(there.stdout)).toEqual(JSON.parse(here.stdout));
    expect(there.stdout).toContain('9999999999.949990');
    expect(JSON.parse((await onTarget('ledger verify')).stdout)).toMatchObject({ ok: true });
  });

  test('every table of the database is in the copy', async () => {
    const found = await target.connection.db.execute(sql`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`);
    const copied = Object.values(everyTable).map(getTableName);
    expect(
      rowsOf(found)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(copied.sort());
  });

  test('a second import is refused: the database is not empty', async () => {
    const refused = await onTarget(`import ${file}`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/not empty/);
  });

  test('secrets, sessions, refresh tokens and subs still work', async () => {
    const service = await tollgate.start({ DATABASE_URL: target.databaseUrl ?? '' });
    expect((await refresh(service, client, refreshToken)).status).toBe(200);
    expect((await signIn(service)).status).toBe(200);
    const { data } = await tollgate.json('application list');
    expect(data).toBeDefined();
    await service.stop('SIGTERM');
    const verified = await onTarget('ledger verify');
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
  });
});
