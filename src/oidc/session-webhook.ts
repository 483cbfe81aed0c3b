// What a webhook says of a charged session.
import type { Account } from '../accounts/account.ts';
import type { UsageEvent } from '../ledger/charge.ts';
import { formatAmount } from '../money.ts';
import type { WebhookEvent } from '../webhooks/enqueue.ts';

const webhookType = {
  registration: 'identity.registration.completed.v1',
  sign_in: 'identity.login.completed.v1',
} as const;

export function webhookOf(event: UsageEvent, workspaceId: string, account: Account): WebhookEvent {
  return {
    id: event.id,
    type: webhookType[event.kind],
    applicationId: event.applicationId,
    workspaceId,
    livemode: event.book === 'live',
    createdAt: event.occurredAt,
    data: {
      customer: {
        sub: event.sub,
        email: account.email,
        email_verified: account.emailVerified,
        name: account.name,
      },
      kind: event.kind,
      amount: formatAmount(event.amount),
      currency: event.currency,
      status: 'committed',
    },
  };
}
