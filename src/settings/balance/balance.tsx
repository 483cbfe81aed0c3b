// An application's balance in company settings: what is there, how long it lasts, what things cost,
// at which amounts the owners want to be told, and the way to top up and to statements.
import type { Context } from 'koa';
import { requireKeptApplication } from '../../applications/application-change.ts';
import { readBalance } from '../../ledger/balance.ts';
import { readForecast } from '../../ledger/forecast.ts';
import { addThreshold, listThresholds, removeThreshold } from '../../ledger/low-balance-warning.ts';
import { listPayments } from '../../ledger/payment.ts';
import { listPrices } from '../../ledger/price-list.ts';
import { paymentsShown } from '../../limits/payments.ts';
import { formatAmount, parseAmount, showMoney } from '../../money.ts';
import { renderPage } from '../../page/document.tsx';
import type { PaymentProvider } from '../../payments/provider.ts';
import { createPaymentProvider } from '../../payments/providers.ts';
import { applicationRest } from '../applications/frame.tsx';
import { applicationOf, audited, problemOf } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { findLowBalances } from './notice.tsx';
import { BalancePage, type Warnings } from './page.tsx';
import { TestBalancePage } from './test-balance.tsx';
import { createTopUpRoutes } from './top-up.tsx';

const PATH = '/applications/:application/balance';

export function createBalanceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const payments = createPaymentProvider(deps.config, deps.clock);
  return [
    {
      method: 'GET',
      path: PATH,
      role: 'viewer',
      handle: (ctx, visit, request) => showBalance(deps, payments, { ctx, visit, request }),
    },
    {
      method: 'POST',
      path: `${PATH}/warnings`,
      role: 'developer',
      handle: (ctx, visit, request) => addWarning(deps, payments, { ctx, visit, request }),
    },
    {
      method: 'POST',
      path: `${PATH}/warnings/remove`,
      role: 'developer',
      handle: (ctx, visit, request) => removeWarning(deps, { ctx, visit, request }),
    },
    ...createTopUpRoutes(deps, payments),
  ];
}

type Asked = { ctx: Context; visit: MemberVisit; request: SettingsRequest };

async function showBalance(
  deps: SettingsDependencies,
  payments: PaymentProvider | undefined,
  { ctx, visit, request }: Asked,
  refused: Pick<Warnings, 'typed' | 'problem'> = {},
): Promise<void> {
  const { db, clock } = deps;
  const key = { id: request.params.application ?? '', workspaceId: visit.workspace.id };
  const application = await requireKeptApplication(db, key);
  const { id: applicationId, createdAt } = application;
  if (application.isTest) {
    ctx.body = renderPage(<TestBalancePage visit={visit} application={application} />);
    return;
  }
  const { amount: balance, currency } = await readBalance(db, applicationId);
  const now = clock();
  ctx.body = renderPage(
    <BalancePage
      visit={visit}
      application={application}
      balance={balance}
      currency={currency}
      now={now}
      forecast={
        await visit.lane.read((reads) => readForecast(reads, { applicationId, balance, createdAt, now }))
      }
      prices={await listPrices(db, visit.workspace.id)}
      low={await findLowBalances(deps, visit, applicationId)}
      warnings={{ all: await listThresholds(db, applicationId), ...refused }}
      provider={payments?.title}
      payments={await listPayments(db, { applicationId, limit: paymentsShown })}
    />,
  );
}

async function addWarning(
  deps: SettingsDependencies,
  payments: PaymentProvider | undefined,
  asked: Asked,
): Promise<void> {
  const { ctx, visit, request } = asked;
  const application = await applicationOf(deps, visit, request);
  const typed = request.fields.amount ?? '';
  const amount = parseAmount(typed.trim());
  const problem =
    amount === undefined
      ? 'Enter an amount such as 10 or 2.50.'
      : await problemOf(() =>
          audited(deps, visit, {
            action: 'balance_warning.added',
            target: application.id,
            detail: { amount: formatAmount(amount) },
            make: (tx, now) => addThreshold(tx, { applicationId: application.id, amount, now }),
          }),
        );
  if (problem === undefined && amount !== undefined) {
    const notice = `Owners get an email when the balance falls below ${showMoney(amount, visit.workspace.currency)}.`;
    redirectTo(ctx, deps, visit, applicationRest(application, '/balance'), { notice });
    return;
  }
  ctx.status = 400;
  await showBalance(deps, payments, asked, { typed, problem });
}

async function removeWarning(deps: SettingsDependencies, { ctx, visit, request }: Asked): Promise<void> {
  const application = await applicationOf(deps, visit, request);
  const amount = parseAmount(request.fields.amount ?? '');
  if (amount !== undefined)
    await audited(deps, visit, {
      action: 'balance_warning.removed',
      target: application.id,
      detail: { amount: formatAmount(amount) },
      make: (tx) => removeThreshold(tx, { applicationId: application.id, amount }),
    });
  redirectTo(ctx, deps, visit, applicationRest(application, '/balance'), {
    notice: 'Warning removed.',
  });
}
