// Mail to people: queued with the transaction that causes it, sealed while it waits (a one-time code is in it), sent
// by SMTP or put into the development inbox, and dropped once its deadline has passed (threat 97).

import { desc, eq } from 'drizzle-orm';
import { createTransport, type Transporter } from 'nodemailer';
import { developmentInbox } from '../../drizzle/schema/operations.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isUnknownAuthority } from '../config/unknown-authority.ts';
import type { Bitten } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { newId } from '../id.ts';
import {
  smtpConnectMilliseconds,
  smtpGreetingMilliseconds,
  smtpSocketMilliseconds,
  smtpTotalMilliseconds,
} from '../limits/mail.ts';
import { developmentMailKeptSeconds } from '../limits/operations.ts';
import { developmentInboxShown } from '../limits/pages.ts';
import type { Log } from '../log.ts';
import { type Keys, seal, unseal } from '../secrets.ts';
import type { Jobs } from './jobs.ts';

export type Mail = {
  /** One mailbox, as parseEmailAddress spells it. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** It takes its turn in the queue and goes nowhere, so that the queue says nothing about it. */
  isWithheld?: boolean;
  /** Instead of MAIL_FROM's name: the address stays the service's own. */
  senderName?: string;
  /** After this moment the mail says something untrue and is not sent any more. */
  expiresAt?: Date;
};

export type Mailer = {
  /** Inside the caller's transaction: the mail exists exactly if that commits. */
  queue(tx: Database, mail: Mail): Promise<void>;
  /** Sends from this process. */
  start(): Promise<void>;
};

type MailerDependencies = {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>;
  db: Database;
  jobs: Jobs;
  keys: Pick<Keys, 'sealing'>;
  log: Log;
  clock: Clock;
};

/** What waits in the queue: nothing in it can be read without the key. */
type MailJob = { sealed: string };
type QueuedMail = Omit<Mail, 'expiresAt'> & { id: string; expiresAt?: string };
/** Rejects when it should be tried again. */
type Deliver = (mail: QueuedMail) => Promise<'delivered' | 'refused'>;

const SEAL_CONTEXT = 'queued mail';
/** Every address in here was parsed before; this only keeps a future mistake from reaching a mail server. */
const ONE_MAILBOX = /^[^\s@<>(),:;"\\[\]\p{Cc}]+@[a-z0-9.-]+$/u;

export function createMailer(deps: MailerDependencies): Mailer {
  const { config, db, jobs, keys, log, clock } = deps;
  return {
    queue: (tx, mail) => queueMail(tx, deps, mail),
    async start() {
      const deliver = config.smtpUrl
        ? smtpDelivery(createSmtp(config.smtpUrl), config.mailFrom, log)
        : inboxDelivery({ db, clock, sender: config.mailFrom });
      await jobs.work<MailJob>('mail', async (job) => {
        const mail: QueuedMail = JSON.parse(unseal(keys, job.sealed, SEAL_CONTEXT));
        const about = { mail: mail.id, to: maskEmailAddress(mail.to) };
        if (mail.expiresAt !== undefined && new Date(mail.expiresAt) <= clock()) {
          log.warn(about, 'mail dropped: its deadline passed before a server took it');
          return;
        }
        if (mail.isWithheld) {
          log.debug(about, 'mail withheld: the application is in test mode');
          return;
        }
        if ((await deliver(mail)) === 'delivered') log.debug(about, 'mail handed over');
      });
    },
  };
}

/** For who has no mailer of their own, because nothing is sent from there. */
export async function queueMail(
  tx: Database,
  { jobs, keys }: Pick<MailerDependencies, 'jobs' | 'keys'>,
  mail: Mail,
): Promise<void> {
  if (!ONE_MAILBOX.test(mail.to)) throw new TypeError('a mail needs exactly one plain mailbox');
  const queued = { ...mail, id: newId('mail') };
  const job: MailJob = { sealed: seal(keys, JSON.stringify(queued), SEAL_CONTEXT) };
  await jobs.send(tx, 'mail', [{ data: job }]);
}

/** a***@example.com: enough to find a person's complaint in the log, too little to write to them. */
export function maskEmailAddress(email: string): string {
  const [localPart = '', domain = ''] = email.split('@');
  return `${localPart.slice(0, 1)}***@${domain}`;
}

// ── SMTP ────────────────────────────────────────────────────────────────────────────────────────────────────

function createSmtp(url: string): Transporter {
  return createTransport({
    url,
    connectionTimeout: smtpConnectMilliseconds,
    dnsTimeout: smtpConnectMilliseconds,
    greetingTimeout: smtpGreetingMilliseconds,
    socketTimeout: smtpSocketMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export type MailProblem = { reason: string; isUnknownAuthority: boolean };

/** For `tollgate doctor`: connects and signs in, sends nothing. @returns why that does not work. */
export async function tryMailServer(url: string): Promise<MailProblem | undefined> {
  const smtp = createSmtp(url);
  try {
    await smtp.verify();
    return undefined;
  } catch (error) {
    const { reason, command, reply } = readFailure(error);
    const words = [reason, command, reply].filter((part) => part !== undefined).join(' ');
    return { reason: words, isUnknownAuthority: isUnknownAuthority(error) };
  } finally {
    smtp.close();
  }
}

function smtpDelivery(smtp: Transporter, mailFrom: string, log: Log): Deliver {
  const from = parseSender(mailFrom);
  return async (mail) => {
    try {
      await smtp.sendMail({
        // Objects, not strings: nothing in a name or address is parsed as a list.
        from: { ...from, name: mail.senderName ?? from.name },
        to: { name: '', address: mail.to },
        envelope: { from: from.address, to: [mail.to] },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // The same on every attempt, so that a mailbox can recognise a repetition.
        messageId: `<${mail.id}@${from.address.split('@').at(-1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(smtpTotalMilliseconds),
      });
      return 'delivered';
    } catch (error) {
      const failure = readFailure(error);
      const about = { mail: mail.id, to: maskEmailAddress(mail.to), ...failure };
      if (isRefusedForGood(failure)) {
        log.warn(about, 'mail dropped: the mail server refuses it for good');
        return 'refused';
      }
      log.warn(about, 'mail not sent; it is tried again until its deadline');
      // The queue stores this error: unlike nodemailer's it names no address and quotes no server.
      throw new Error(`the mail server did not take the mail (${failure.reason})`);
    }
  };
}

type Failure = { reason: string; command?: string; reply?: number };

/** Replies quote addresses and server internals, so only nodemailer's own words and the number are kept. */
function readFailure(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { reason: 'unknown' };
  const failure: Failure = { reason: 'code' in error ? String(error.code) : 'unknown' };
  if ('command' in error && typeof error.command === 'string') failure.command = error.command.slice(0, 20);
  if ('responseCode' in error && typeof error.responseCode === 'number') failure.reply = error.responseCode;
  return failure;
}

/** 5xx about this recipient or this content (RFC 5321 §4.2.1). About us (log-in, sender) an operator can mend it. */
function isRefusedForGood({ command, reply = 0 }: Failure): boolean {
  return reply >= 500 && (command === 'RCPT TO' || command === 'DATA');
}

/** 'Tollgate <no-reply@example.com>' or a bare address. */
export function parseSender(mailFrom: string): { name: string; address: string } {
  const [, name = '', address] = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+)>\s*$/.exec(mailFrom) ?? [];
  return { name, address: address ?? mailFrom.trim() };
}

// ── Development inbox ───────────────────────────────────────────────────────────────────────────────────────

export type DevelopmentMail = typeof developmentInbox.$inferSelect;

function inboxDelivery(options: { db: Database; clock: Clock; sender: string }): Deliver {
  const { db, clock, sender } = options;
  return async ({ id, to, subject, text, html, senderName }) => {
    const from = parseSender(sender);
    const named = senderName ? `${senderName} <${from.address}>` : sender;
    const row = { id, recipient: to, sender: named, subject, text, html, sentAt: clock() };
    await db.insert(developmentInbox).values(row).onConflictDoNothing();
    return 'delivered';
  };
}

/** Newest first. */
export async function readDevelopmentInbox(db: Database, to?: string): Promise<DevelopmentMail[]> {
  return await db
    .select()
    .from(developmentInbox)
    .where(to === undefined ? undefined : eq(developmentInbox.recipient, to.trim().toLowerCase()))
    .orderBy(desc(developmentInbox.sentAt), desc(developmentInbox.id))
    .limit(developmentInboxShown);
}

export async function findDevelopmentMail(db: Database, id: string): Promise<DevelopmentMail | undefined> {
  const [mail] = await db.select().from(developmentInbox).where(eq(developmentInbox.id, id));
  return mail;
}

/** For housekeeping. */
export function deleteOldDevelopmentMail(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -developmentMailKeptSeconds);
  return deleteExpired(db, { table: developmentInbox, age: developmentInbox.sentAt, before }, round);
}
