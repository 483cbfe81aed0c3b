// Whoever hangs up before the whole request was sent (a second click, a reload, a lost network) caused no failure of ours:
// no 5xx in log and metrics, which somebody is woken up for.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectOracles } from '../harness/oracles.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

let service: TestTollgate;

beforeAll(async () => {
  service = await startTollgate();
});
afterAll(async () => {
  await expectOracles(service);
  await service.stop();
});

test.each(['/oauth/token', '/settings/sign-in', '/interaction/aaaaaaaaaaaaaaaaaaaaa/register'])(
  'a POST to %s that ends in the middle of its form is no failure of ours',
  async (path) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = [
      'Host: localhost',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 100',
    ];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\nemail=ida`);
    await sleep(150);
    socket.destroy();
    const line = await untilLogged((text) => text.includes('"POST"') && text.includes(path.slice(0, 12)));
    expect(JSON.parse(line).status).toBeLessThan(500);
  },
);

test.each(['/oauth/token', '/settings/sign-in', '/interaction/aaaaaaaaaaaaaaaaaaaaa/register'])(
  'POSTs to %s whose sender is gone when all of them is here are no failures of ours',
  async (path) => {
    const isAnswered = (text: string) => text.includes('"request"') && text.includes('"POST"');
    const before = service.logLines.filter(isAnswered).length;
    const form = 'email=ida';
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${form.length}`,
    ];
    for (let times = 0; times < SECOND_CLICKS; times += 1) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(`${head.join('\r\n')}\r\n\r\n${form}`, () => socket.destroy());
    }
    await until(
      'all are logged',
      () => service.logLines.filter(isAnswered).length === before + SECOND_CLICKS,
    );
    expect(service.logLines.filter((text) => isAnswered(text) && /"status":5/.test(text))).toEqual([]);
  },
);

/** How far the service has come when it learns that nobody waits is a matter of chance. */
const SECOND_CLICKS = 40;

async function untilLogged(isIt: (line: string) => boolean): Promise<string> {
  return until('the request is logged', () =>
    service.logLines.find((text) => text.includes('"request"') && isIt(text)),
  );
}
