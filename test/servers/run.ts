// `npm run servers`: PostgreSQL, Redis and what else the tests need, on this machine. What answers is used as it is; what
// does not is started on loopback, and what is not installed comes from Debian's packages. `npm run servers -- stop` ends
// what was started here, and nothing else; `npm run servers -- languages` brings what the quickstarts in other languages need.
import { apachePackage, apacheVersion } from '../harness/apache.ts';
import { findChromium } from '../harness/chromium.ts';
import { installPackages } from './debian.ts';
import { prepareLanguages } from './languages.ts';
import { createPostgresServer } from './postgres.ts';
import { findProgram } from './program.ts';
import { createRedisServer } from './redis.ts';
import { messageOf, type TestServer } from './server.ts';

const servers: TestServer[] = [createPostgresServer(), createRedisServer()];
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** @throws when something that the tests cannot do without is missing and cannot be had. */
async function start(): Promise<void> {
  const silent: TestServer[] = [];
  for (const server of servers) if (!(await server.listens())) silent.push(server);
  await install(silent);
  for (const server of silent) await server.start();
  // Each one must let the tests in before anything is called done, those that were there before too.
  const found = await Promise.all(
    servers.map(async (server) => `${server.name} ${await server.version()} at ${server.url}`),
  );
  const names = silent.map(({ name }) => name).join(' and ');
  const first = names
    ? `Started ${names}; \`npm run servers -- stop\` ends what it started.`
    : 'Started nothing: both answer.';
  print([first, ...found].join('\n'));
}

async function install(silent: TestServer[]): Promise<void> {
  const isWhole = Boolean(process.env.CI);
  const missing: { name: string; packages: string[]; isNeeded: boolean }[] = [];
  for (const { name, program, packages, isProgramUsed } of servers) {
    const isNeeded = isWhole || silent.some((server) => server.name === name);
    if ((isNeeded || isProgramUsed) && !(await findProgram(program)))
      missing.push({ name: `${name} (${program})`, packages, isNeeded });
  }
  if (!(await findChromium()))
    missing.push({ name: 'Chromium', packages: ['chromium', 'fonts-dejavu'], isNeeded: isWhole });
  // The one client in another language that takes CI no time; elsewhere it comes with the languages.
  if (isWhole && !(await apacheVersion()))
    missing.push({ name: 'Apache with mod_auth_openidc', packages: [apachePackage], isNeeded: true });
  if (missing.length === 0) return;

  const names = missing.map(({ name }) => name).join(', ');
  const isInstalled = await installPackages(missing.flatMap(({ packages }) => packages));
  if (isInstalled) return print(`Installed ${names}.`);
  const advice = [
    `Not installed: ${names}. Without apt-get that is yours to do: PostgreSQL 15 or later, Redis 7 or later, Chromium.`,
    'With Docker, this starts both servers: docker compose --file test/compose.yaml up --detach --wait',
  ].join('\n');
  if (missing.some(({ isNeeded }) => isNeeded)) throw new Error(advice);
  print(`Not installed: ${names}. Tests that need it are left out.`);
}

async function stop(): Promise<void> {
  const stopped: string[] = [];
  for (const server of servers) if (await server.stop()) stopped.push(server.name);
  print(stopped.length > 0 ? `Stopped ${stopped.join(' and ')}.` : 'Stopped nothing: none was started here.');
}

try {
  const [word] = process.argv.slice(2);
  const known: Record<string, () => Promise<void>> = {
    '': start,
    stop,
    languages: async () => print(await prepareLanguages()),
  };
  const asked = known[word ?? ''];
  if (!asked) throw new Error('npm run servers, npm run servers -- languages, or npm run servers -- stop');
  await asked();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
