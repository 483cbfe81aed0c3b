// What became of one payment. It says "received" only when our own books say so, whatever the address that the browser
// came back with.
import type { Application } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { Payment } from '../../ledger/payment.ts';
import { showMoney } from '../../money.ts';
import { Badge, type BadgeProps } from '../../page/badge.tsx';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { Facts, type FactsProps } from '../../page/facts.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { ApplicationFrame, applicationPath, applicationRest } from '../applications/frame.tsx';
import type { MemberVisit } from '../shell/visit.ts';

const words: Record<Payment['status'], { badge: BadgeProps['kind']; label: string }> = {
  pending: { badge: 'warning', label: 'Waiting' },
  paid: { badge: 'good', label: 'Received' },
  expired: { badge: 'neutral', label: 'Not paid' },
  failed: { badge: 'bad', label: 'Failed' },
};

export function PaymentBadge({ payment }: { payment: Pick<Payment, 'status'> }) {
  const { badge, label } = words[payment.status];
  return <Badge kind={badge}>{label}</Badge>;
}

export type PaymentPageProps = {
  visit: MemberVisit;
  application: Application;
  payment: Payment;
  /** For people: Stripe. undefined: payments are no longer switched on. */
  provider: string | undefined;
  /** Asked just now, and it did not answer. */
  problem?: string | undefined;
};

export function PaymentPage(props: PaymentPageProps) {
  const { visit, application, payment, provider, problem } = props;
  const balancePath = applicationPath(visit, application, '/balance');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="balance"
      heading="Payment"
      problem={problem}
    >
      <Outcome payment={payment} provider={provider ?? 'the payment provider'} />
      <Panel
        heading={showMoney(payment.amount, payment.currency)}
        actions={
          <>
            {payment.status === 'pending' && provider && isAtLeast(visit.member.role, 'owner') && (
              <CheckButton {...props} provider={provider} />
            )}
            <ButtonLink href={balancePath}>Back to the balance</ButtonLink>
          </>
        }
      >
        <Facts facts={factsOf(payment, provider ?? 'the provider')} />
      </Panel>
    </ApplicationFrame>
  );
}

function factsOf(payment: Payment, provider: string): FactsProps['facts'] {
  const { createdAt, settledAt, providerReference } = payment;
  const facts: FactsProps['facts'] = [
    ['State', <PaymentBadge key="state" payment={payment} />],
    ['Begun', <Time key="begun" at={createdAt} />],
  ];
  if (settledAt) facts.push(['Settled', <Time key="settled" at={settledAt} />]);
  facts.push(['Payment', <code key="id">{payment.id}</code>]);
  if (providerReference) facts.push([`At ${provider}`, <code key="reference">{providerReference}</code>]);
  return facts;
}

function Outcome({ payment, provider }: { payment: Payment; provider: string }) {
  const amount = showMoney(payment.amount, payment.currency);
  if (payment.status === 'paid')
    return <Notice kind="success">Payment received. {amount} were added to the balance.</Notice>;
  if (payment.status === 'pending')
    return (
      <Notice kind="information">
        Waiting for {provider}. The balance changes as soon as {provider} confirms the payment: a card takes
        seconds, a bank transfer up to some days. You can leave this page.
      </Notice>
    );
  if (payment.status === 'expired')
    return <Notice kind="warning">This payment expired. Nothing was charged.</Notice>;
  return (
    <Notice kind="problem">
      This payment failed and the balance is unchanged. If you were charged anyway, send the operator the
      payment number below.
    </Notice>
  );
}

type Check = Omit<PaymentPageProps, 'provider'> & { provider: string };

function CheckButton({ visit, application, payment, provider }: Check) {
  const rest = applicationRest(application, `/payments/${payment.id}/check`);
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)} label={`Ask ${provider} about this payment`}>
      <Button kind="secondary">Ask {provider} now</Button>
    </Form>
  );
}
