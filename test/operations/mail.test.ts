// Mail against a real SMTP server: threat 35 (one recipient), 92 (nothing readable in queue and logs) and 97 (a mail
// server that is down, greylists, refuses, stalls or hangs up).
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { developmentInbox } from '../../drizzle/schema/operations.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { type Jobs, startJobs } from '../../src/queue/jobs.ts';
import {
  createMailer,
  deleteOldDevelopmentMail,
  type Mail,
  type Mailer,
  maskEmailAddress,
  readDevelopmentInbox,
} from '../../src/queue/mail.ts';
import { createKeys } from '../../src/secrets.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Behaviour, startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { until } from '../harness/until.ts';

const START = new Date('2026-11-21T10:00:00.000Z');
const keys = createKeys('a secret for tests that is long enough');
const MAIL: Mail = {
  to: 'anna@example.com',
  subject: 'Canary subject 314159',
  text: 'Your code is 314 159.',
  html: '<p>Your code is <b>314 159</b>.</p>',
};

let database: TestDatabase;
let jobs: Jobs;
let smtp: TestSmtp;
let logLines: string[];
let now: Date;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  logLines = [];
  now = START;
  const { connection, databaseUrl } = database;
  jobs = await startJobs({ connection, databaseUrl, log: createTestLog() });
  smtp = await startSmtp();
});
afterEach(async () => {
  await jobs.stop();
  await smtp.stop();
  await database.connection.db.execute(sql`delete from jobs.job`);
  await database.connection.db.delete(developmentInbox);
});
afterAll(() => database.remove());

function createTestLog() {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  return createLog({ level: 'debug', destination });
}

async function startMailer(
  options: { behaviours?: Behaviour[]; smtpUrl?: string | undefined; mailFrom?: string } = {},
) {
  if (options.behaviours) smtp.state.behaviours = options.behaviours;
  const smtpUrl = 'smtpUrl' in options ? options.smtpUrl : smtp.url;
  const mailer = createMailer({
    config: { smtpUrl, mailFrom: options.mailFrom ?? 'Tollgate <no-reply@id.example.com>' },
    db: database.connection.db,
    jobs,
    keys,
    log: createTestLog(),
    clock: () => now,
  });
  await mailer.start();
  return mailer;
}

const queue = (mailer: Mailer, mail: Mail) =>
  transaction(database.connection.db, (tx) => mailer.queue(tx, mail));
const logged = () => logLines.join('');

/** The log says what happened instead. */
async function untilSo(condition: () => boolean, seconds = 30): Promise<void> {
  const look = () => (condition() ? 'so' : logged());
  await until('it is so', look, { isIt: (seen) => seen === 'so', seconds });
}

/** The same, without the queue's pauses between two attempts. */
async function untilRetried(condition: () => boolean, seconds = 30): Promise<void> {
  const impatience = setInterval(() => {
    const due = sql`update jobs.job set start_after = now() where state = 'retry' and start_after > now()`;
    database.connection.db.execute(due).catch(() => undefined);
  }, 200);
  await untilSo(condition, seconds).finally(() => clearInterval(impatience));
}

describe('mail by SMTP', () => {
  test('a mail arrives once, from the configured sender, to one recipient, as text and HTML', async () => {
    const mailer = await startMailer();
    await queue(mailer, { ...MAIL, subject: 'Ihr Code für „Blumenladen“' });
    await untilSo(() => smtp.accepted.length > 0);
    const [envelope] = smtp.accepted;
    expect(envelope).toMatchObject({ from: 'no-reply@id.example.com', to: ['anna@example.com'] });
    expect(envelope?.message).toContain('From: Tollgate <no-reply@id.example.com>');
    expect(envelope?.message).toContain('To: anna@example.com');
    expect(envelope?.message).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(envelope?.message).toMatch(/^Message-ID: <mail_[0-9a-f]{32}@id\.example\.com>$/m);
    expect(envelope?.message).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(envelope?.message).toContain(MAIL.text);
    expect(envelope?.message).toContain(MAIL.html);
    await untilSo(() => logged().includes('mail handed over'));
    expect(smtp.accepted).toHaveLength(1);
  });

  test('a transaction that rolls back sends nothing', async () => {
    const mailer = await startMailer();
    const failed = transaction(database.connection.db, async (tx) => {
      await mailer.queue(tx, MAIL);
      throw new Error('changed its mind');
    });
    await expect(failed).rejects.toThrow('changed its mind');
    await queue(mailer, { ...MAIL, to: 'other@example.com' });
    await untilSo(() => smtp.accepted.length > 0);
    expect(smtp.accepted.map(({ to }) => to)).toEqual([['other@example.com']]);
  });

  test('threat 35: what is not one plain mailbox never reaches the queue', async () => {
    const mailer = await startMailer();
    for (const to of [
      'a@example.com,eve@evil.example',
      'a@example.com\r\nRCPT TO:<eve@evil.example>',
      'A <a@example.com>',
      '<a@example.com>',
      'group:a@example.com;',
      '"a@evil.example"@example.com',
      'a@example.com eve@evil.example',
      'a@b@example.com',
      '',
    ]) {
      await expect(queue(mailer, { ...MAIL, to })).rejects.toThrow(TypeError);
    }
  });

  test('threats 35 and 44: a subject with line ends adds no header and no recipient', async () => {
    const mailer = await startMailer();
    await queue(mailer, { ...MAIL, subject: 'Hello\r\nBcc: eve@evil.example\r\n\r\nbody' });
    await untilSo(() => smtp.accepted.length > 0);
    expect(smtp.accepted[0]?.to).toEqual(['anna@example.com']);
    expect(smtp.accepted[0]?.message).not.toMatch(/^Bcc:/im);
  });

  test.each([
    [
      'Tollgate <no-reply@id.example.com>',
      'no-reply@id.example.com',
      'From: Tollgate <no-reply@id.example.com>',
    ],
    ['"Shop, Inc." <shop@example.com>', 'shop@example.com', 'From: "Shop, Inc." <shop@example.com>'],
    ['bare@example.com', 'bare@example.com', 'From: bare@example.com'],
  ])('MAIL_FROM may be written as %s', async (mailFrom, address, header) => {
    const mailer = await startMailer({ mailFrom });
    await queue(mailer, MAIL);
    await untilSo(() => smtp.accepted.length > 0);
    expect(smtp.accepted[0]?.from).toBe(address);
    expect(smtp.accepted[0]?.message).toContain(header);
  });

  test('threat 92: neither queue nor log holds the address, the subject or the code', async () => {
    const mailer = await startMailer({
      behaviours: [{ replies: { RCPT: '451 4.7.1 <anna@example.com> 314159' } }],
    });
    await queue(mailer, MAIL);
    await untilSo(() => logged().includes('tried again'));
    const queued = rowsOf(
      await database.connection.db.execute(sql`select * from jobs.job where name = 'mail'`),
    );
    expect(queued).toHaveLength(1);
    for (const canary of ['anna', 'Canary', '314159', '314 159', 'Your code']) {
      expect(JSON.stringify(queued)).not.toContain(canary);
      expect(logged()).not.toContain(canary);
    }
    expect(logged()).toContain(maskEmailAddress(MAIL.to));
  });
});

describe('threat 97: a mail server in trouble', () => {
  test('greylisting: a 4xx is tried again with the same Message-ID', async () => {
    const mailer = await startMailer({
      behaviours: [{ replies: { RCPT: '451 4.7.1 come back later' } }, {}],
    });
    await queue(mailer, MAIL);
    await untilRetried(() => smtp.accepted.length > 0);
    expect(smtp.state.connections).toBe(2);
    expect(smtp.accepted).toHaveLength(1);
  });

  test('the connection drops: before the greeting, or after the message without a reply', async () => {
    const mailer = await startMailer({ behaviours: [{ dropAt: 'CONNECT' }, { dropAt: '.' }, {}] });
    await queue(mailer, MAIL);
    // The server may have kept the message whose reply was lost: the repetition carries the same Message-ID.
    await untilRetried(() => smtp.state.connections === 3 && smtp.accepted.length === 2);
    const ids = smtp.accepted.map(({ message }) => /^Message-ID: (.*)$/m.exec(message)?.[1]);
    expect(new Set(ids).size).toBe(1);
  });

  test('a 5xx to recipient or content is final: logged, and the job is done', async () => {
    const reply = '550 5.1.1 <anna@example.com> unknown';
    const mailer = await startMailer({
      behaviours: [{ replies: { RCPT: reply } }, { replies: { DATA: reply } }, { replies: { '.': reply } }],
    });
    for (let mails = 0; mails < 3; mails += 1) await queue(mailer, MAIL);
    await untilSo(() => logged().split('refuses it for good').length === 4);
    await jobs.stop();
    const left = sql`select 1 from jobs.job where name = 'mail' and state <> 'completed'`;
    expect(rowsOf(await database.connection.db.execute(left))).toEqual([]);
    expect(smtp.accepted).toEqual([]);
    expect(logged()).toContain('"reply":550');
    expect(logged()).not.toContain('anna@');
    expect(logged()).not.toContain('mail handed over');
  });

  test('a 5xx that concerns the sender is tried again: an operator can mend it', async () => {
    const mailer = await startMailer({
      behaviours: [{ replies: { MAIL: '550 5.7.1 sender not allowed' } }, {}],
    });
    await queue(mailer, MAIL);
    await untilRetried(() => smtp.accepted.length > 0);
    expect(smtp.state.connections).toBe(2);
  });

  test('an expired code is never sent: the deadline is checked at every attempt', async () => {
    const mailer = await startMailer({ behaviours: [{ dropAt: 'CONNECT' }, {}] });
    await queue(mailer, { ...MAIL, expiresAt: new Date(START.getTime() + 600_000) });
    await untilSo(() => logged().includes('tried again'));
    now = new Date(START.getTime() + 600_000);
    await untilRetried(() => logged().includes('mail dropped: its deadline passed'));
    expect(smtp.accepted).toEqual([]);
    expect(smtp.state.connections).toBe(1);
  });

  test('a server that is down: the mail waits and leaves when it is back', async () => {
    const { url } = smtp;
    const port = Number(new URL(url).port);
    await smtp.stop();
    const mailer = await startMailer({ smtpUrl: url });
    await queue(mailer, MAIL);
    await untilSo(() => logged().includes('ECONN') || logged().includes('ESOCKET'));
    smtp = await startSmtp([{}], port);
    await untilRetried(() => smtp.accepted.length === 1);
  });

  test('a server that is silent is given up after 10 seconds, while other mails pass', async () => {
    const mailer = await startMailer({ behaviours: [{ greetAfter: 60_000 }, {}] });
    await queue(mailer, MAIL);
    await untilSo(() => smtp.state.connections === 1);
    await queue(mailer, { ...MAIL, to: 'quick@example.com' });
    await untilSo(() => smtp.accepted.length === 1, 8);
    expect(smtp.accepted[0]?.to).toEqual(['quick@example.com']);
    await untilRetried(() => smtp.accepted.length === 2, 40);
    expect(logged()).toContain('ETIMEDOUT');
  });
});

describe('the development inbox', () => {
  test('without SMTP a mail is found there by its address, newest first, with the text part', async () => {
    const mailer = await startMailer({ smtpUrl: undefined });
    const { db } = database.connection;
    for (const subject of ['first', 'second', 'third']) {
      now = new Date(now.getTime() + 1000);
      await queue(mailer, { ...MAIL, subject });
      await untilInbox(subject);
    }
    await queue(mailer, { ...MAIL, to: 'other@example.com', subject: 'not hers' });
    await untilInbox('not hers');
    const inbox = await readDevelopmentInbox(db, ' Anna@Example.com ');
    expect(inbox.map(({ subject }) => subject)).toEqual(['third', 'second', 'first']);
    expect(inbox[0]).toMatchObject({
      recipient: 'anna@example.com',
      sender: 'Tollgate <no-reply@id.example.com>',
      text: MAIL.text,
      html: MAIL.html,
      sentAt: now,
    });
    expect(await readDevelopmentInbox(db)).toHaveLength(4);
    expect(smtp.state.connections).toBe(0);
  });

  test('a mail past its deadline does not appear', async () => {
    const mailer = await startMailer({ smtpUrl: undefined });
    await queue(mailer, { ...MAIL, expiresAt: START });
    await untilSo(() => logged().includes('mail dropped'));
    expect(await readDevelopmentInbox(database.connection.db)).toEqual([]);
  });

  test('housekeeping removes what is older than a week', async () => {
    const { db } = database.connection;
    const day = 86_400_000;
    for (const days of [6, 8]) {
      await db.insert(developmentInbox).values({
        ...{ id: `mail_${days}`, recipient: MAIL.to, sender: 'x', subject: `${days}`, text: '', html: '' },
        sentAt: new Date(START.getTime() - days * day),
      });
    }
    await deleteOldDevelopmentMail(db, START);
    expect((await readDevelopmentInbox(db)).map(({ subject }) => subject)).toEqual(['6']);
  });

  async function untilInbox(subject: string): Promise<void> {
    await until(`${subject} arrives`, () => readDevelopmentInbox(database.connection.db), {
      isIt: (inbox) => inbox.some((mail) => mail.subject === subject),
    });
  }
});
