// What a webhook says: the event, and the JSON body that receivers get of it (docs/webhooks.md).
import type { WebhookType } from './event-types.ts';

export type WebhookEvent = {
  /** The id of the usage event; receivers deduplicate by it. */
  id: string;
  type: WebhookType;
  applicationId: string;
  workspaceId: string;
  /** False: of an application in test mode. */
  livemode: boolean;
  createdAt: Date;
  data: {
    /** Only in a test event (test-event.ts). */
    test?: true;
    customer: { sub: string; email: string; email_verified: boolean; name: string | null };
    kind: 'registration' | 'sign_in';
    /** Decimal string in the currency, for example "0.020000". */
    amount: string;
    currency: string;
    status: 'committed';
  };
};

/** Serialised once: every attempt at every endpoint sends these bytes. */
export function webhookBody(event: WebhookEvent): string {
  return JSON.stringify(webhookRecord(event));
}

/** What a receiver reads. */
export function webhookRecord({ id, type, createdAt, livemode, applicationId, data }: WebhookEvent) {
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    livemode,
    data: { application_id: applicationId, ...data },
  };
}
