// What a webhook says of a charged session.
import type { Account } from '../../accounts/account.ts';
import type { UsageEvent } from '../../ledger/charge.ts';
import { formatAmount } from '../../money.ts';
import type { WebhookEvent } from '../../webhooks/event-body.ts';
import { webhookTypeOf } from '../../webhooks/event-types.ts';

export function webhookOf(event: UsageEvent, workspaceId: string, account: Account): WebhookEvent {
  return {
    id: event.id,
    type: webhookTypeOf[event.kind],
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
