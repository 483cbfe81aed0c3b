// The link in the mail to the old address (docs/decisions/0602): it works without signing in, opening it changes
// nothing, and its one button undoes the change of address.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type EmailChange, findReturn, takeEmailAddressBack } from '../../src/accounts/email-return.ts';
import { deleteConsents } from '../../src/applications/customers-of-account.ts';
import { transaction } from '../../src/database/connection.ts';
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { readForm } from '../../src/http/form.ts';
import { ipAddressOf } from '../../src/http/ip-address.ts';
import { ipAddressKey } from '../../src/http/rate-limit.ts';
import { seeOther } from '../../src/http/redirect.ts';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { maskEmailAddress } from '../../src/queue/mail.ts';
import { languageOf } from '../languages.ts';
import { returnedMails } from './email-address-mail.ts';
import { showCard } from './card.tsx';
import { Moment } from './moment.tsx';
import { emailAddressTexts } from './texts/email-address.ts';
import { type AccountDependencies, accountPath } from './visit.ts';

const RETURN = '/address/cancel';
const RETURNED = '/address/returned';

export function returnUrl({ config }: Pick<AccountDependencies, 'config'>, token: string): string {
  return `${config.baseUrl}${accountPath(RETURN)}/${token}`;
}

export function serveEmailAddressReturn(deps: AccountDependencies, router: Router): void {
  router.get(accountPath(`${RETURN}/:token`), async (ctx: Context) => {
    const change = await findReturn(deps.db, { token: String(ctx.params.token), now: deps.clock() });
    if (change) showReturn(deps, ctx, change);
    else showOver(ctx);
  });
  router.post(accountPath(`${RETURN}/:token`), async (ctx: Context) => {
    await deps.rateLimiter.consume('sign_in_posts', ipAddressKey(ipAddressOf(ctx)));
    deps.formGuard.verify(ctx, ctx.path, await readForm(ctx));
    if (!(await undo(deps, ctx, String(ctx.params.token)))) return showOver(ctx);
    // So that the token leaves the address bar.
    seeOther(ctx, accountPath(RETURNED));
  });
  router.get(accountPath(RETURNED), async (ctx: Context) => {
    const texts = emailAddressTexts[languageOf(ctx)];
    showCard(ctx, texts.returnedHeading, texts.returnedLead, <SignIn ctx={ctx} />);
  });
}

/** Of two requests with one link, one undoes it. */
async function undo(deps: AccountDependencies, ctx: Context, token: string): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    const place = { uid: token, browser: deps.formGuard.browser(ctx) ?? '' };
    const change = await takeEmailAddressBack(tx, { token, place, clock: deps.clock });
    if (!change) return false;
    const { accountId } = change;
    await deleteConsents(tx, accountId);
    await deps.revokeAccount(tx, { accountId, endsCodes: true, now: deps.clock() });
    for (const mail of returnedMails(languageOf(ctx), change)) await deps.mailer.queue(tx, mail);
    return true;
  });
}

function showReturn(
  deps: AccountDependencies,
  ctx: Context,
  { oldEmail, newEmail, confirmedAt }: EmailChange,
): void {
  const language = languageOf(ctx);
  const texts = emailAddressTexts[language];
  showCard(
    ctx,
    texts.returnHeading,
    texts.returnLead(oldEmail),
    <div class="stack">
      <Facts
        facts={[
          [texts.movedTo, maskEmailAddress(newEmail)],
          [texts.movedAt, confirmedAt && <Moment key="when" at={confirmedAt} language={language} />],
        ]}
      />
      <p>{texts.returnEffect}</p>
      <Form action={ctx.path} token={deps.formGuard.token(ctx, ctx.path)}>
        <Button>{texts.returnSubmit}</Button>
      </Form>
    </div>,
  );
}

function showOver(ctx: Context): void {
  const texts = emailAddressTexts[languageOf(ctx)];
  ctx.status = 404;
  showCard(ctx, texts.overHeading, texts.overLead, <SignIn ctx={ctx} />);
}

function SignIn({ ctx }: { ctx: Context }) {
  return (
    <ButtonLink kind="primary" href={firstPartyClients.account.path}>
      {emailAddressTexts[languageOf(ctx)].signIn}
    </ButtonLink>
  );
}
