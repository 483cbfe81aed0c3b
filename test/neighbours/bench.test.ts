// `npm run neighbours -- --quick` in short: beside each burden no request of the good company fails, nobody waits for
// seconds, and the bad company's own work goes on. How much its p99 rises is for a machine that does nothing else.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { hasPostgres } from '../harness/database.ts';
import { hasRedis, server as redisUrl } from '../harness/redis.ts';

const root = resolve(import.meta.dirname, '../..');
const program = 'bench/neighbours/run.ts';
const options = ['--quick', '--rough', '--rounds=1', '--seconds=2', '--rate=10'];
const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const testOnServers = (await hasPostgres()) && (await hasRedis()) ? test : test.skip;

testOnServers(
  'whatever the bad company does, the good one is served',
  async () => {
    const { code, output } = await run();
    expect({ code, broken: output.match(/BROKEN.*/g), output }).toMatchObject({ code: 0, broken: null });
    // A burden that was not run proves nothing.
    for (const burden of [
      'statement',
      'export',
      'hanging',
      'slow',
      'replay',
      'deletions',
      'balance',
      'half-open',
    ])
      expect(output).toMatch(new RegExp(`^.*${burden}.* → `, 'm'));
    expect(output.match(/^a second process.* → /gm)).toHaveLength(2);
  },
  600_000,
);

function run(): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...options], {
      cwd: root,
      env: { ...process.env, BENCH_POSTGRES_URL: postgresUrl, BENCH_REDIS_URL: redisUrl },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
      });
    child.once('exit', (code) => done({ code, output }));
  });
}
