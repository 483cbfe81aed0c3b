// A top-up through the payment provider: the amount, then the provider's own page, then what our books
// say. The payment is written down before the provider hears of it, so that whatever comes back finds it.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { requireKeptApplication } from '../../applications/application-change.ts';
import { TollgateError } from '../../errors.ts';
import { seeOther } from '../../http/redirect.ts';
import { readBalance } from '../../ledger/balance.ts';
import { readForecast } from '../../ledger/forecast.ts';
import {
  abandonPayment,
  findPayment,
  notePaymentReference,
  type Payment,
  startPayment,
} from '../../ledger/payment.ts';
import { askAboutPayment } from '../../ledger/payment-outcome.ts';
import { listPrices } from '../../ledger/price-list.ts';
import { formatAmount, parseAmount, showMoney } from '../../money.ts';
import { Button, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { NumberField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import type { PaymentProvider } from '../../payments/provider.ts';
import { ApplicationFrame, applicationPath, applicationRest } from '../applications/frame.tsx';
import { applicationOf, audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { PaymentPage } from './payment-page.tsx';
import { Suggestions } from './suggestions.tsx';

const TOP_UP = '/applications/:application/top-up';
const PAYMENT = '/applications/:application/payments/:payment';

export function createTopUpRoutes(
  deps: SettingsDependencies,
  provider: PaymentProvider | undefined,
): SettingsRoute[] {
  const payment: SettingsRoute = {
    method: 'GET',
    path: PAYMENT,
    role: 'viewer',
    async handle(ctx, visit, request) {
      const props = await paymentOf(deps, visit, request);
      ctx.body = renderPage(<PaymentPage visit={visit} provider={provider?.title} {...props} />);
    },
  };
  // Begun while payments were switched on: it can still be read.
  if (!provider) return [payment];
  const start: Handle = (ctx, visit, request) => topUp(deps, provider, { ctx, visit, request });
  const leadsTo = [provider.pagesOrigin];
  return [
    {
      method: 'GET',
      path: TOP_UP,
      role: 'owner',
      fresh: true,
      leadsTo,
      async handle(ctx, visit, request) {
        const application = await applicationOf(deps, visit, request);
        requireLive(application);
        await showForm(deps, provider, { ctx, visit, application });
      },
    },
    { method: 'POST', path: TOP_UP, role: 'owner', fresh: true, leadsTo, handle: start },
    payment,
    {
      method: 'POST',
      path: `${PAYMENT}/check`,
      role: 'owner',
      handle: (ctx, visit, request) => check(deps, provider, { ctx, visit, request }),
    },
  ];
}

type Handle = SettingsRoute['handle'];
type Asked = { ctx: Context; visit: MemberVisit; request: SettingsRequest };

async function topUp(deps: SettingsDependencies, provider: PaymentProvider, asked: Asked): Promise<void> {
  const { ctx, visit, request } = asked;
  const application = await applicationOf(deps, visit, request);
  const typed = request.fields.amount ?? '';
  const amount = parseAmount(typed.trim());
  const problem =
    amount === undefined
      ? 'Enter an amount such as 50 or 49.90.'
      : provider.refusalOf(amount, visit.workspace.currency);
  if (amount === undefined || problem !== undefined) {
    await showForm(deps, provider, { ctx, visit, application, typed, problem });
    return;
  }
  requireLive(application);
  await deps.rateLimiter.consume('checkout_starts', visit.workspace.id);
  const payment = await begin(deps, provider, { visit, application, amount });
  try {
    const { providerReference, url } = await provider.start({
      ...payment,
      paymentId: payment.id,
      description: `OAuth balance of ${application.name}`,
      email: visit.member.email,
      successUrl: deps.config.baseUrl + applicationPath(visit, application, `/payments/${payment.id}`),
      cancelUrl: deps.config.baseUrl + applicationPath(visit, application, '/balance'),
    });
    await notePaymentReference(deps.db, { paymentId: payment.id, providerReference });
    seeOther(ctx, url);
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    deps.log.warn({ err: error, payment: payment.id }, 'a payment could not be begun');
    await abandonPayment(deps.db, { paymentId: payment.id, now: deps.clock() });
    await showForm(deps, provider, { ctx, visit, application, typed, problem: error.description });
    if (error.status >= 500) ctx.status = error.status;
  }
}

/** No money comes near test mode; its balance page does not lead here. */
function requireLive({ isTest }: Application): void {
  if (isTest)
    throw new TollgateError(
      'conflict',
      'This application is in test mode and takes no money. Go live first.',
    );
}

function begin(
  deps: SettingsDependencies,
  { name: provider }: PaymentProvider,
  { visit, application, amount }: { visit: MemberVisit; application: Application; amount: bigint },
): Promise<Payment> {
  const { currency } = visit.workspace;
  return audited(deps, visit, {
    action: 'payment.started',
    detail: { application: application.id, amount: formatAmount(amount), currency },
    make: (tx, now) =>
      startPayment(tx, {
        applicationId: application.id,
        provider,
        amount,
        currency,
        startedBy: visit.member.accountId,
        now,
      }),
  });
}

async function check(deps: SettingsDependencies, provider: PaymentProvider, asked: Asked): Promise<void> {
  const { ctx, visit, request } = asked;
  const { application, payment } = await paymentOf(deps, visit, request);
  try {
    await askAboutPayment(deps, provider, payment);
    redirectTo(ctx, deps, visit, applicationRest(application, `/payments/${payment.id}`));
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    deps.log.warn({ err: error, payment: payment.id }, 'a payment could not be asked about');
    ctx.status = error.status;
    const problem = `${provider.title} is not responding right now. We will check again automatically.`;
    const props = { visit, application, payment, provider: provider.title, problem };
    ctx.body = renderPage(<PaymentPage {...props} />);
  }
}

async function paymentOf(deps: SettingsDependencies, visit: MemberVisit, { params }: SettingsRequest) {
  const key = { id: params.application ?? '', workspaceId: visit.workspace.id };
  const application = await requireKeptApplication(deps.db, key);
  const payment = await findPayment(deps.db, { applicationId: application.id, id: params.payment ?? '' });
  if (!payment) throw new TollgateError('not_found', 'There is no such payment.');
  return { application, payment };
}

type Shown = {
  ctx: Context;
  visit: MemberVisit;
  application: Application;
  typed?: string;
  problem?: string | undefined;
};

async function showForm(
  { db, clock }: SettingsDependencies,
  provider: PaymentProvider,
  { ctx, visit, application, typed, problem }: Shown,
): Promise<void> {
  const { id: applicationId, createdAt } = application;
  const { amount, currency } = await readBalance(db, applicationId);
  const about = { applicationId, createdAt, balance: amount, now: clock() };
  const forecast = await visit.lane.read((reads) => readForecast(reads, about));
  const prices = await listPrices(db, visit.workspace.id);
  const rest = applicationRest(application, '/top-up');
  if (problem !== undefined) ctx.status = 400;
  ctx.body = renderPage(
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="balance"
      heading="Top up"
      lead={`The balance is ${showMoney(amount, currency)}.`}
      problem={problem && 'Nothing was paid. Check the problem below.'}
    >
      <Panel
        heading="Amount"
        lead={`You pay at ${provider.title} and come back here. We never see your card.`}
      >
        <Suggestions
          action={visit.path(rest)}
          token={visit.token(rest)}
          isTaken={(offer) => provider.refusalOf(offer, currency) === undefined}
          {...{ currency, prices, forecast }}
        />
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <NumberField
            name="amount"
            label={`Another amount in ${currency}`}
            decimals
            required
            focused
            value={typed}
            problem={problem}
          />
          <Button>Continue to {provider.title}</Button>
        </Form>
      </Panel>
    </ApplicationFrame>,
  );
}
