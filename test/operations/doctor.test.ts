// `tollgate doctor`: each thing that can be wrong is made wrong, found, and said with what to
// change; nothing that it prints is a secret.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { diagnose } from '../../src/doctor/doctor.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { PROBE_PATH, probeHeaders } from '../../src/service/doctor-probe.ts';
import { loadKeys } from '../../src/service/pairwise-key.ts';
import { type CommandLine, createCommandLine, type Service } from '../harness/command-line.ts';
import { hasPostgres, openEmptyPostgres, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { type RoundRobin, startRoundRobin } from '../harness/round-robin.ts';
import { until } from '../harness/until.ts';
import { createAuthority, issueCertificate } from '../webhooks/sink.ts';

const about = (findings: Finding[], name: string) => findings.filter((finding) => finding.about === name);
const problems = (findings: Finding[]) =>
  findings.filter(({ state }) => state === 'problem').map((finding) => finding.about);

describe('beside a running embedded service', () => {
  let tollgate: CommandLine;
  let service: Service;
  beforeAll(async () => {
    tollgate = await createCommandLine({ OPERATIONS_PORT: String(await freePort()), SHUTDOWN_DELAY: '0' });
    service = await tollgate.start();
  }, 120_000);
  afterAll(() => tollgate.remove());

  test('finds nothing wrong, exits with 0, and has looked at the database through the service', async () => {
    const { code, stdout } = await tollgate.run('doctor --json');
    const answer: { ok: boolean; findings: Finding[] } = JSON.parse(stdout);
    expect({ code, problems: problems(answer.findings) }).toEqual({ code: 0, problems: [] });
    expect(answer.ok).toBe(true);
    const names = answer.findings.map((finding) => finding.about);
    for (const name of [
      'database',
      'clock',
      'migrations',
      'secret',
      'signing keys',
      'ledger',
      'accounts',
      'proxies',
      'mail',
    ])
      expect(names).toContain(name);
    expect((await tollgate.run('doctor')).stdout).toMatch(/^ok +settings +complete\n/);
  });

  test('nobody else learns what arrives at the service', async () => {
    const address = `${service.url}${PROBE_PATH}`;
    expect((await fetch(address)).status).toBe(404);
    const forged = probeHeaders(createKeys(randomSecret()), new Date());
    expect((await fetch(address, { headers: forged })).status).toBe(404);
  });
});

describe('behind a proxy', () => {
  let tollgate: CommandLine;
  let proxy: RoundRobin | undefined;
  let url: string;
  beforeAll(async () => {
    const [outer, port, operationsPort] = [await freePort(), await freePort(), await freePort()];
    url = `http://localhost:${outer}`;
    tollgate = await createCommandLine({ BASE_URL: url, SHUTDOWN_DELAY: '0' });
    await tollgate.start({ PORT: String(port), OPERATIONS_PORT: String(operationsPort) });
    const balancer = await startRoundRobin(outer, [{ port, operationsPort }]);
    proxy = balancer;
    await until('the process is ready', balancer.readyCount, { isIt: (count) => count > 0, seconds: 60 });
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    await tollgate.remove();
  });

  test('a proxy that TRUST_PROXY does not count is found, with the number to set', async () => {
    const { code, stdout } = await tollgate.run('doctor --json');
    const { findings }: { findings: Finding[] } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(about(findings, 'proxies')).toEqual([
      expect.objectContaining({ state: 'problem', change: expect.stringContaining('TRUST_PROXY=1') }),
    ]);
    expect((await tollgate.run('doctor')).stdout).toMatch(/PROBLEM +proxies .*\n +→ Set TRUST_PROXY=1/);
  });
});

describe('before anything runs', () => {
  let database: TestDatabase;
  const secret = randomSecret();
  const askService = async () => undefined;
  const look = (environment: Record<string, string>, notStarted = true) =>
    diagnose({ environment, notStarted, askService });
  beforeAll(async () => {
    if (await hasPostgres()) database = await openTestPostgres();
  });
  afterAll(() => database?.remove());

  test('settings that cannot be are named', async () => {
    const findings = await look({ BASE_URL: 'http://id.example.com' });
    expect(findings).toEqual([
      expect.objectContaining({
        about: 'settings',
        state: 'problem',
        says: expect.stringContaining('https'),
      }),
    ]);
  });

  test('a service that does not answer at its public address is a problem', async () => {
    const findings = await look(
      { BASE_URL: `http://localhost:${await freePort()}`, TOLLGATE_SECRET: secret },
      false,
    );
    expect(about(findings, 'public address')).toEqual([
      expect.objectContaining({ state: 'problem', says: expect.stringContaining('ECONNREFUSED') }),
    ]);
  });

  test('mail server, Redis and PostgreSQL that are away are three problems, without their passwords', async () => {
    const port = await freePort();
    const findings = await look({
      TOLLGATE_SECRET: secret,
      DATABASE_URL: `postgres://someone:canary-database@127.0.0.1:${port}/x`,
      SMTP_URL: `smtp://someone:canary-mail@127.0.0.1:${port}`,
      REDIS_URL: `redis://someone:canary-redis@127.0.0.1:${port}`,
    });
    expect(problems(findings)).toEqual(['database', 'redis', 'mail']);
    expect(JSON.stringify(findings)).not.toMatch(/canary/);
    expect(JSON.stringify(findings)).not.toContain(secret);
    expect(about(findings, 'mail sender')).toEqual([expect.objectContaining({ state: 'warning' })]);
  }, 60_000);

  test('a certificate of an authority that this machine does not know: where to name it, for each of them', async () => {
    const { key, cert } = await issueCertificate({ authority: await createAuthority() });
    const server = createServer({ key, cert });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const findings = await look(
      {
        TOLLGATE_SECRET: secret,
        BASE_URL: `https://localhost:${port}`,
        SMTP_URL: `smtps://localhost:${port}`,
        REDIS_URL: `rediss://localhost:${port}`,
        GOOGLE_CLIENT_ID: 'google',
        GOOGLE_CLIENT_SECRET: 'secret',
        GOOGLE_ISSUER: `https://localhost:${port}`,
      },
      false,
    );
    for (const name of ['redis', 'mail', 'Google', 'public address'])
      expect(about(findings, name)).toEqual([
        expect.objectContaining({
          state: 'problem',
          change: expect.stringMatching(/NODE_EXTRA_CA_CERTS=.*not in \.env/),
        }),
      ]);
    server.close();
  }, 60_000);

  test('a database that nothing was started on yet is no problem', async () => {
    if (!(await hasPostgres())) return;
    const empty = await openEmptyPostgres();
    const findings = await look({ DATABASE_URL: empty.databaseUrl ?? '', TOLLGATE_SECRET: secret });
    expect(about(findings, 'migrations')).toEqual([
      { about: 'migrations', state: 'ok', says: 'none yet: the first start makes the tables' },
    ]);
    expect(problems(findings)).toEqual([]);
    await empty.remove();
  });

  test('a server that forgets what it acknowledged is a problem, one that never cleans up a warning', async () => {
    if (!database) return;
    const { db } = database.connection;
    const environment = { DATABASE_URL: database.databaseUrl ?? '', TOLLGATE_SECRET: secret };
    const [server] = rowsOf(await db.execute(sql`select current_setting('autovacuum') as autovacuum`));
    // It belongs to the server as a whole, which is not ours to change.
    expect(about(await look(environment), 'autovacuum')).toEqual(
      server?.autovacuum === 'off'
        ? [expect.objectContaining({ state: 'warning', change: expect.stringContaining('autovacuum') })]
        : [],
    );
    const [{ name } = { name: '' }] = rowsOf(await db.execute(sql`select current_database() as name`));
    await db.execute(sql.raw(`alter database ${name} set synchronous_commit = off`));
    expect(about(await look(environment), 'durability')).toEqual([
      expect.objectContaining({
        state: 'problem',
        says: expect.stringContaining('synchronous_commit is off'),
      }),
    ]);
    await db.execute(sql.raw(`alter database ${name} reset synchronous_commit`));
    expect(about(await look(environment), 'durability')).toEqual([]);
  });

  test('missing migrations, a secret of another database, an older secret in use, a ledger that is broken', async () => {
    if (!database) return;
    const { db } = database.connection;
    const environment = { DATABASE_URL: database.databaseUrl ?? '', TOLLGATE_SECRET: secret };
    await loadKeys(db, secret, new Date());
    const whole = await look(environment);
    expect(problems(whole)).toEqual([]);
    expect(about(whole, 'redis')).toEqual([expect.objectContaining({ state: 'warning' })]);

    const other = await look({ ...environment, TOLLGATE_SECRET: randomSecret() });
    expect(about(other, 'secret')).toEqual([
      expect.objectContaining({ state: 'problem', change: expect.stringContaining('TOLLGATE_SECRET') }),
    ]);
    const replaced = await look({ ...environment, TOLLGATE_SECRET: `${randomSecret()},${secret}` });
    expect(about(replaced, 'secret')).toEqual([
      expect.objectContaining({ state: 'warning', change: expect.stringContaining('keys reseal') }),
    ]);
    const poor = await look({ ...environment, TOLLGATE_SECRET: 'a'.repeat(40) });
    expect(about(poor, 'secret')[0]?.says).toContain('not random');

    await db.execute(
      sql`insert into ledger_verifications values ('prf_1', now(), now(), false, '{"no balance is negative": 1}')`,
    );
    expect(about(await look(environment), 'ledger')).toEqual([
      expect.objectContaining({ state: 'problem', says: expect.stringContaining('no balance is negative') }),
    ]);
    await db.execute(
      sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
    );
    expect(about(await look(environment), 'migrations')).toEqual([
      expect.objectContaining({ state: 'problem', change: expect.stringContaining('tollgate migrate') }),
    ]);
  });
});
