// The link in the mail to the old address (docs/decisions/0602): it works without signing in, opening it changes
// nothing, and its one button undoes the change of address.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type EmailChange, findReturn, takeAddressBack } from '../../src/accounts/email-return.ts';
import { deleteConsents } from '../../src/applications/customers-of-account.ts';
import { transaction } from '../../src/database/connection.ts';
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { readForm } from '../../src/http/form.ts';
import { ipAddressOf } from '../../src/http/ip-address.ts';
import { ipAddressKey } from '../../src/http/rate-limit.ts';
import { seeOther } from '../../src/http/redirect.ts';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { maskAddress } from '../../src/queue/mail.ts';
import { languageOf } from '../languages.ts';
import { returnedMails } from './address-mail.ts';
import { showCard } from './card.tsx';
import { Moment } from './moment.tsx';
import { addressTexts } from './texts/address.ts';
import { type AccountTools, accountPath } from './visit.ts';

const RETURN = '/address/cancel';
const RETURNED = '/address/returned';

export function returnUrl({ config }: Pick<AccountTools, 'config'>, token: string): string {
  return `${config.baseUrl}${accountPath(RETURN)}/${token}`;
}

export function serveAddressReturn(tools: AccountTools, router: Router): void {
  router.get(accountPath(`${RETURN}/:token`), async (ctx: Context) => {
    const change = await findReturn(tools.db, { token: String(ctx.params.token), now: tools.clock() });
    if (change) showReturn(tools, ctx, change);
    else showOver(ctx);
  });
  router.post(accountPath(`${RETURN}/:token`), async (ctx: Context) => {
    await tools.rateLimiter.consume('sign_in_posts', ipAddressKey(ipAddressOf(ctx)));
    tools.formGuard.verify(ctx, ctx.path, await readForm(ctx));
    if (!(await undo(tools, ctx, String(ctx.params.token)))) return showOver(ctx);
    // So that the token leaves the address bar.
    seeOther(ctx, accountPath(RETURNED));
  });
  router.get(accountPath(RETURNED), async (ctx: Context) => {
    const texts = addressTexts[languageOf(ctx)];
    showCard(ctx, texts.returnedHeading, texts.returnedLead, <SignIn ctx={ctx} />);
  });
}

/** Of two requests with one link, one undoes it. */
async function undo(tools: AccountTools, ctx: Context, token: string): Promise<boolean> {
  return transaction(tools.db, async (tx) => {
    const place = { uid: token, browser: tools.formGuard.browser(ctx) ?? '' };
    const change = await takeAddressBack(tx, { token, place, clock: tools.clock });
    if (!change) return false;
    const { accountId } = change;
    await deleteConsents(tx, accountId);
    await tools.revokeAccount(tx, { accountId, endsCodes: true, now: tools.clock() });
    for (const mail of returnedMails(languageOf(ctx), change)) await tools.mailer.queue(tx, mail);
    return true;
  });
}

function showReturn(
  tools: AccountTools,
  ctx: Context,
  { oldEmail, newEmail, confirmedAt }: EmailChange,
): void {
  const language = languageOf(ctx);
  const texts = addressTexts[language];
  showCard(
    ctx,
    texts.returnHeading,
    texts.returnLead(oldEmail),
    <div class="stack">
      <Facts
        facts={[
          [texts.movedTo, maskAddress(newEmail)],
          [texts.movedAt, confirmedAt && <Moment key="when" at={confirmedAt} language={language} />],
        ]}
      />
      <p>{texts.returnEffect}</p>
      <Form action={ctx.path} token={tools.formGuard.token(ctx, ctx.path)}>
        <Button>{texts.returnSubmit}</Button>
      </Form>
    </div>,
  );
}

function showOver(ctx: Context): void {
  const texts = addressTexts[languageOf(ctx)];
  ctx.status = 404;
  showCard(ctx, texts.overHeading, texts.overLead, <SignIn ctx={ctx} />);
}

function SignIn({ ctx }: { ctx: Context }) {
  return (
    <ButtonLink kind="primary" href={firstPartyClients.account.path}>
      {addressTexts[languageOf(ctx)].signIn}
    </ButtonLink>
  );
}
