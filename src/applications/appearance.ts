// How an application looks on every hosted page and in its mails: accent, background, corners, a logo for the dark, links
// and the sender's name. What is stored was checked here, and the database checks it again.
import { and, eq, isNull } from 'drizzle-orm';
import { appearances, applications } from '../../drizzle/schema/applications.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { linkCharacters, senderNameCharacters } from '../limits/applications.ts';
import type { Application } from './application.ts';

type Row = typeof appearances.$inferSelect;

export const backgrounds = ['plain', 'bright', 'tint', 'gradient'] as const satisfies Row['background'][];
export const cornerKinds = ['square', 'soft', 'round'] as const satisfies Row['corners'][];

export type Appearance = Omit<Row, 'applicationId' | 'darkLogo' | 'changedAt'> & { hasDarkLogo: boolean };
export type ApplicationWithAppearance = Application & { appearance: Appearance };

export const plainAppearance: Appearance = {
  accent: null,
  background: 'plain',
  corners: 'soft',
  termsUrl: null,
  privacyUrl: null,
  supportUrl: null,
  senderName: null,
  hasDarkLogo: false,
};

export async function findAppearance(db: Database, applicationId: string): Promise<Appearance> {
  const [row] = await db.select().from(appearances).where(eq(appearances.applicationId, applicationId));
  return withoutPicture(row);
}

/** In one trip: a sign-in waits for it. */
export async function findApplicationWithAppearance(
  db: Database,
  clientId: string,
): Promise<ApplicationWithAppearance | undefined> {
  const [row] = await db
    .select({ application: applications, appearance: appearances })
    .from(applications)
    .leftJoin(appearances, eq(appearances.applicationId, applications.id))
    .where(and(eq(applications.clientId, clientId), isNull(applications.deletedAt)));
  return row && { ...row.application, appearance: withoutPicture(row.appearance) };
}

function withoutPicture(row: Row | null | undefined): Appearance {
  if (!row) return plainAppearance;
  const { applicationId: _id, changedAt: _at, darkLogo, ...appearance } = row;
  return { ...appearance, hasDarkLogo: darkLogo !== null };
}

/** Of an application that is not deleted; undefined when there is none. */
export async function readDarkLogo(db: Database, applicationId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ darkLogo: appearances.darkLogo })
    .from(appearances)
    .innerJoin(applications, eq(applications.id, appearances.applicationId))
    .where(and(eq(appearances.applicationId, applicationId), isNull(applications.deletedAt)));
  return row?.darkLogo ?? undefined;
}

export type AppearanceChange = Omit<Appearance, 'hasDarkLogo'> & {
  applicationId: string;
  /** A new one as logo.ts drew it, null to have none, undefined to leave it. */
  darkLogo?: Uint8Array | null | undefined;
  now: Date;
};

export async function saveAppearance(
  tx: Database,
  { applicationId, darkLogo, now, ...look }: AppearanceChange,
): Promise<void> {
  const picture = darkLogo === undefined ? {} : { darkLogo };
  const values = { ...look, ...picture, changedAt: now };
  await tx
    .insert(appearances)
    .values({ applicationId, ...values })
    .onConflictDoUpdate({ target: appearances.applicationId, set: values });
}

/** @throws TollgateError invalid_request. @returns null where nothing was typed. */
export function requireLink(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new TollgateError('invalid_request', 'Enter an address that begins with https://.');
  return withinLimit(url.href);
}

/** A page, or a mailbox. */
export function requireSupport(typed: string): string | null {
  const text = typed.trim();
  return MAILBOX.test(text) ? withinLimit(`mailto:${text}`) : requireLink(text);
}

/** Letters that could stand for another address, or for another header, are not in a name. */
export function requireSenderName(typed: string): string | null {
  const name = typed.trim();
  if (name === '') return null;
  if ([...name].length > senderNameCharacters)
    throw new TollgateError(
      'invalid_request',
      `A sender name has at most ${senderNameCharacters} characters.`,
    );
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>@"]/u.test(name))
    throw new TollgateError(
      'invalid_request',
      'A sender name must not contain line breaks, invisible characters, quotation marks, <, > or @.',
    );
  return name;
}

const MAILBOX = /^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

function withinLimit(url: string): string {
  if (url.length > linkCharacters)
    throw new TollgateError('invalid_request', `A link has at most ${linkCharacters} characters.`);
  return url;
}
