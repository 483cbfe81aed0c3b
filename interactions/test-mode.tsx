// Test mode on the hosted pages (docs/decisions/1101): the mark that every page carries, the page for whom there is no room,
// and the rule that decides whom a code is mailed to.
import type { Context } from 'koa';
import { type Account, findAccountByEmail } from '../src/accounts/account.ts';
import { mayMailInTestMode } from '../src/applications/test-addresses.ts';
import { hasTestSeat } from '../src/applications/test-mode.ts';
import type { Database } from '../src/database/connection.ts';
import { triedClientId } from '../src/first-party/trial.ts';
import { renderPage } from '../src/page/document.tsx';
import { Frame } from './frame.tsx';
import { testModeTexts } from './texts/test-mode.ts';
import { type Dependencies, note, type Visit } from './visit.ts';

/** A trial makes nobody a customer, and whoever is one already has their seat. */
export async function hasRoom(
  { db }: Pick<Dependencies, 'db'>,
  { application, interaction }: Visit,
  { id: accountId }: Pick<Account, 'id'>,
): Promise<boolean> {
  if (!application.isTest || triedClientId(interaction.clientId) !== undefined) return true;
  return hasTestSeat(db, { applicationId: application.id, accountId });
}

/** The way back to the application is `access_denied`. The charge would refuse as well; here a person can read why. */
export function showNoRoom(deps: Dependencies, ctx: Context, visit: Visit): void {
  const texts = testModeTexts[visit.language];
  note(deps, visit, 'turned_away', 'test_mode_full');
  ctx.status = 403;
  ctx.type = 'html';
  ctx.body = renderPage(
    <Frame visit={visit} heading={texts.fullHeading} lead={texts.full(visit.application.name)}>
      {null}
    </Frame>,
  );
}

/**
 * Everything else of the flow is the same for an address that gets no mail, the queued job included, so that neither page
 * nor time says who is a member or a tester. The development inbox leaves this machine for nobody.
 */
export async function mayMail(
  { config }: Pick<Dependencies, 'config'>,
  tx: Database,
  { application }: Pick<Visit, 'application'>,
  email: string,
): Promise<boolean> {
  if (!application.isTest || config.hasDevelopmentInbox) return true;
  const account = await findAccountByEmail(tx, email);
  return mayMailInTestMode(tx, { application, email, accountId: account?.id });
}
