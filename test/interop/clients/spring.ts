// Spring Boot as docs/clients.md sets it up: each jar of SPRING_CLIENTS, built from spring/ (its pom.xml says how), runs
// with its own TLS, and the browser signs in to its one page.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, delimiter } from 'node:path';
import { freePort } from '../../harness/free-port.ts';
import { until } from '../../harness/until.ts';
import { applicationBrowser, certificate } from '../../harness/web-application.ts';
import { listensAt } from '../../servers/server.ts';
import { type Driver, type Run, throughWebsite } from './drivers.ts';

const START_SECONDS = 90;

/** From version 4 on (Spring Security 7) a newcomer's settings are enough. */
const linesOf = (version: string): string =>
  version.startsWith('3.') ? '`withPkce()`, [as below](#spring-boot)' : 'there are none';

export function springBoots(jars = process.env.SPRING_CLIENTS ?? ''): Driver[] {
  return jars
    .split(delimiter)
    .filter((jar) => jar !== '')
    .map((jar) => {
      const [, version = 'unknown'] = /^spring-boot-(.+)\.jar$/.exec(basename(jar)) ?? [];
      const name = `Spring Boot ${version.split('.')[0]} (Java)`;
      return { name, version, lines: linesOf(version), signIn: (run) => signIn(jar, version, run) };
    });
}

async function signIn(jar: string, version: string, run: Run): Promise<string> {
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const { clientId, clientSecret } = await run.register(`${url}/login/oauth2/code/tollgate`);
  const settings = {
    server: {
      address: '127.0.0.1',
      port,
      ssl: { certificate: certificate.cert, 'certificate-private-key': certificate.key },
    },
    'spring.security.oauth2.client': {
      'registration.tollgate': {
        'client-id': clientId,
        'client-secret': clientSecret,
        scope: 'openid,email,profile',
      },
      'provider.tollgate.issuer-uri': run.issuer,
    },
    'with-lines': run.hasLines && version.startsWith('3.'),
  };
  const child = spawn('java', ['-jar', jar], {
    env: { ...process.env, SPRING_APPLICATION_JSON: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await untilListens(child, port);
    const browser = applicationBrowser();
    const start = await browser.open(`${url}/account`);
    if (!('leftTo' in start)) throw new Error(`Spring starts no sign-in: ${start.page.html}`);
    return await throughWebsite(browser, start.leftTo, run, `${url}/account`);
  } finally {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  }
}

async function untilListens(child: ChildProcess, port: number): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (said += String(data)));
  const look = () => {
    if (child.exitCode !== null) throw new Error(`it does not start: ${said}`);
    return listensAt({ host: '127.0.0.1', port });
  };
  await until('Spring listens', look, { seconds: START_SECONDS, everyMilliseconds: 100 });
}
