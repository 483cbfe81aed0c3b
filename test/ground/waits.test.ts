// Tests wait for something, and say what (test/harness/until.ts). A wait of a fixed time stands only where the passing of
// time is what is tested, or where nothing can be seen of what must not happen; each is listed here with its reason.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '..');

/** Programs that run by themselves, in real time (`npm run chaos`, `crash`, `walk`, `webhook-endurance`, `servers`). */
const PROGRAMS = ['chaos', 'crash-harness', 'walk', 'webhook-endurance', 'servers'];

const ABSENCE = 'gives what must not happen the time to happen';
const SECONDS = 'two moments must lie in two seconds of the clock';
const WORK = 'stands for work that takes a moment';

/** How many there are, and why. */
const known: Record<string, [count: number, why: string]> = {
  'harness/until.ts': [1, 'is how everybody waits'],
  'harness/command-line.ts': [1, 'a deadline'],
  'harness/properties.test.ts': [1, 'runs of a property that last longer than its time'],
  'harness/outage.ts': [2, 'a pause of traffic after a refusal, and a deadline'],
  'harness/round-robin.ts': [1, 'the pause between two probes of a balancer'],
  'harness/smtp.ts': [1, 'a mail server that greets late'],
  'harness/stopwatch.ts': [1, 'measures how late the machine is'],
  'harness/store-gate.ts': [1, 'looks whether everything is quiet, turn by turn'],
  'harness/tcp-proxy.ts': [1, 'the store has the time to act on what it got before its answer is lost'],
  'account-page/deletion-races.test.ts': [1, ABSENCE],
  'accounts/authority.test.ts': [1, `${ABSENCE}: PGlite shows no locks`],
  'accounts/proof.test.ts': [1, ABSENCE],
  'api/keys.test.ts': [1, ABSENCE],
  'database/read-then-write.test.ts': [1, WORK],
  'database/rolling-migration.test.ts': [2, 'traffic goes on for a while'],
  'hosted-pages/attacks.test.ts': [1, ABSENCE],
  'hosted-pages/codes.test.ts': [1, ABSENCE],
  'hosted-pages/social-attacks.test.ts': [1, 'a provider that thinks for half a minute'],
  'identity/by-half.ts': [1, 'half of a request is on its way'],
  'identity/fail-over.test.ts': [1, SECONDS],
  'identity/held-forms.test.ts': [1, SECONDS],
  'identity/late-writers.test.ts': [4, 'requests arrive one after the other'],
  'identity/proof-time.test.ts': [3, 'a person takes their time'],
  'neighbours/event-order.test.ts': [1, ABSENCE],
  'neighbours/hang-up.test.ts': [4, 'clients hang up after a while; what never arrived is not waited for'],
  'neighbours/held-rows.test.ts': [1, ABSENCE],
  'neighbours/hostile-strings.test.ts': [1, ABSENCE],
  'neighbours/small-bounds.test.ts': [1, 'a program that writes a line late'],
  'neighbours/statement-seals.test.ts': [1, ABSENCE],
  'neighbours/two-processes.test.ts': [1, 'an endpoint that answers late'],
  'oidc/hang-up.test.ts': [1, 'half of a request is on its way'],
  'oidc/look-ahead.test.ts': [1, 'a form that arrives in pieces'],
  'operations/shutdown.test.ts': [2, WORK],
  'outage/crash.test.ts': [2, 'a pause of traffic after a refusal, and between two kills'],
  'outage/postgres.test.ts': [3, 'traffic goes on for a while; a store is away for a while'],
  'outage/redis.test.ts': [4, 'traffic goes on for a while; a store is away for a while'],
  'outage/redis-cluster.test.ts': [2, 'traffic goes on for a while; a store is away for a while'],
  'outage/redis-failover.test.ts': [1, 'traffic goes on for a while'],
  'outage/redis-limits.test.ts': [1, ABSENCE],
  'outage/start.test.ts': [1, 'a store is away for a while'],
  'settings/application-access.test.ts': [1, SECONDS],
  'spec/refresh-tokens.test.ts': [1, SECONDS],
  'webhooks/deletion.test.ts': [1, WORK],
  'webhooks/together.test.ts': [2, WORK],
};

/** By whichever name; a socket's own `setTimeout` ends what is silent and waits for nothing. */
const WAIT = /(?<![.\w])(?:sleep|setTimeout)\(/g;
const OTHER_NAME = /setTimeout as (?!sleep\b)|\bscheduler\.wait\b/;

test('no test waits for a fixed time without a reason', async () => {
  const found: Record<string, number> = {};
  for (const [file, text] of await sources()) {
    expect({ file, otherName: OTHER_NAME.test(text) }).toEqual({ file, otherName: false });
    const count = text.match(WAIT)?.length ?? 0;
    if (count > 0) found[file] = count;
  }
  const expected = Object.fromEntries(Object.entries(known).map(([file, [count]]) => [file, count]));
  expect(found).toEqual(expected);
});

async function sources(): Promise<[file: string, text: string][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== import.meta.filename && !path.includes('node_modules'))
    .filter((path) => !PROGRAMS.includes(relative(root, path).split('/')[0] ?? ''));
  return Promise.all(
    paths.map(
      async (path): Promise<[string, string]> => [relative(root, path), await readFile(path, 'utf8')],
    ),
  );
}
