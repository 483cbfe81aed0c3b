// Numbers of company settings: sessions on pages of our own, invitations, lists.
import { DAY, HOUR, KIBIBYTE, MINUTE } from './units.ts';

/** A person who has left the desk; the pages behind it move money. */
export const pageSessionIdleSeconds = 30 * MINUTE;
/** A working day. */
export const pageSessionAbsoluteSeconds = 12 * HOUR;
/** How exact "last used" is, and so the end of an idle session: one write a minute, not one per page. */
export const pageSessionTouchSeconds = MINUTE;
/** Before secrets, money and members: how long ago the person may have proven who they are. */
export const freshSignInSeconds = 5 * MINUTE;
/** From the sign-in button until the person is back: as long as a sign-in may take. */
export const firstPartySignInSeconds = 30 * MINUTE;
/** Sign-ins under way in one browser, in several tabs: what else opens a page of ours must not put an end to them. */
export const pendingSignInsPerBrowser = 4;
/** Of a cookie's value: a browser drops one of more than 4 KB without a word. */
export const cookieValueCharacters = 3_800;
/** What a browser says it is, as far as a person needs it to recognise their own. */
export const userAgentCharacters = 300;
/** Long enough for a holiday, short enough that an old mailbox is no way in. */
export const invitationSeconds = 7 * DAY;
/** Mail that one workspace may cause. */
export const invitationsPerWorkspace = { count: 50, seconds: DAY };
export const membersPerWorkspace = 200;
/** A person may found several companies, but not fill the database. */
export const workspacesPerPerson = 20;
export const workspaceNameCharacters = 100;
/** The chart of the overview: long enough to see weeks repeat. */
export const overviewChartDays = 30;
/** Refused sign-ins on the overview: what happens at present, not what was repaired long ago. */
export const overviewFailureDays = 7;
/** Rows of each list on the overview; the page behind it has all of them. */
export const overviewRows = 6;
export const auditEntriesShown = 50;
/** Rows that the download reads at a time; it is streamed. */
export const auditEntriesPerRead = 500;
/** A logo (512 KiB) and the fields beside it. */
export const uploadFormBytes = 640 * KIBIBYTE;
