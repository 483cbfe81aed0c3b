// What the bad company and strangers send over HTTP, in a process of its own: until it is told to stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpConnection, openHttpConnection } from '../http-connection.ts';
import { answerCalls } from '../processes.ts';
import { authorizationRequest, signIn } from '../sign-in.ts';
import type { Answers, Pages, Regulars, Strangers } from './answers.ts';

const CONNECTIONS = 32;

let answers: Answers = {};
let stop: (() => Promise<void>) | undefined;

answerCalls({
  strangers: (work: Strangers) => begin(() => sendStrangers(work)),
  regulars: (work: Regulars) => begin(() => sendRegulars(work)),
  pages: (work: Pages) => begin(() => readPages(work)),
  answers: () => answers,
  async stop(): Promise<Answers> {
    await stop?.();
    stop = undefined;
    return answers;
  },
});

async function begin(work: () => Promise<(isOver: () => boolean) => Promise<void>>): Promise<void> {
  answers = {};
  let over = false;
  const run = await work();
  const running = run(() => over);
  stop = async () => {
    over = true;
    await running;
  };
}

function count(answer: string | number): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}

/** Each begins a sign-in and never comes back, from as many network addresses as there are, each within its limits. */
async function sendStrangers({ port, applications, rate, ipAddresses }: Strangers) {
  const open = await connections(port);
  return pace(open, rate, async (connection, turn) => {
    const application = applications[turn % applications.length];
    if (!application) throw new Error('nothing to sign in to');
    const ipAddress = `198.18.${Math.floor((turn % ipAddresses) / 250)}.${(turn % ipAddresses) % 250}`;
    count((await connection.ask(authorizationRequest(application, { ipAddress }))).status);
  });
}

async function sendRegulars({ target, newcomers, rate, newcomersPerRegular }: Regulars) {
  const open = await connections(target.port);
  const [application] = target.applications;
  if (!application) throw new Error('nothing to sign in to');
  return pace(open, rate, async (connection, turn) => {
    const isRegular = turn % (newcomersPerRegular + 1) === 0;
    const people = isRegular ? target.people : newcomers;
    const person = people[turn % people.length];
    if (!person) throw new Error('nobody to sign in');
    await signIn(connection, application, person).then(
      () => count(isRegular ? 'regular' : 'newcomer'),
      () => count(isRegular ? 'regular refused' : 'newcomer refused'),
    );
  });
}

async function readPages({ origin, lanes }: Pages) {
  const ending = new AbortController();
  const fetchOnce = async (lane: Pages['lanes'][number], path: string) => {
    const answer = await fetch(origin + path, {
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie: lane.cookie },
      ...(lane.form && path === lane.path && { method: 'POST', body: new URLSearchParams(lane.form) }),
      signal: ending.signal,
    });
    count(answer.status);
    if (answer.body)
      for await (const chunk of answer.body) answers.bytes = (answers.bytes ?? 0) + chunk.length;
    return answer.status;
  };
  return async (isOver: () => boolean) => {
    const running = lanes.map(async (lane) => {
      let path = lane.path;
      while (!isOver()) {
        const status = await fetchOnce(lane, path).catch(() => 0);
        if (status === 429 && lane.instead) path = lane.instead;
        else if (status !== 200) await sleep(100);
      }
    });
    while (!isOver()) await sleep(20);
    ending.abort();
    await Promise.all(running);
  };
}

function connections(port: number): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => openHttpConnection(port)));
}

/** Begins so many a second while there are connections for them; what cannot begin is left out. */
function pace(
  open: HttpConnection[],
  rate: number,
  once: (connection: HttpConnection, turn: number) => Promise<void>,
) {
  return async (isOver: () => boolean) => {
    const idle = [...open];
    const running = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let turn = 0; !isOver(); ) {
      while (startedAt + (turn * 1000) / rate <= performance.now()) {
        const connection = idle.shift();
        if (!connection) {
          count('no connection free');
          turn += 1;
          continue;
        }
        const run = once(connection, turn++)
          .catch(() => count('broken'))
          .finally(() => {
            idle.push(connection);
            running.delete(run);
          });
        running.add(run);
      }
      await sleep(1);
    }
    await Promise.all(running);
    for (const connection of open) connection.close();
  };
}
