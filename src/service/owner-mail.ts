// Mails to the owners of a workspace about what happened while nobody looked; queued in the transaction in which it
// happened, so that neither is there without the other.
import { findAccounts } from '../accounts/account.ts';
import { recordAudit } from '../applications/audit-log.ts';
import { listMembers } from '../applications/membership.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import type { Log } from '../log.ts';
import type { Mail, Mailer } from '../queue/mail.ts';
import { composeNotice } from '../queue/notice-mail.ts';
import type { OnDisabled } from '../webhooks/delivery.ts';

type OwnerMail = { config: Pick<Config, 'baseUrl'>; mailer: Pick<Mailer, 'queue'>; log: Log };

async function mailOwners(
  tx: Database,
  { mailer }: Pick<OwnerMail, 'mailer'>,
  { workspaceId, write }: { workspaceId: string; write: (to: string) => Mail },
): Promise<void> {
  const owners = (await listMembers(tx, workspaceId)).filter(({ role }) => role === 'owner');
  const people = await findAccounts(
    tx,
    owners.map(({ accountId }) => accountId),
  );
  for (const { email } of people.values()) await mailer.queue(tx, write(email));
}

/** A webhook endpoint was disabled: its owners can fix it and turn it on again. */
export function tellOfDisabledEndpoint(deps: OwnerMail): OnDisabled {
  const { config, log } = deps;
  return async (tx, { workspaceId, subscriptionId, url, reason, now }) => {
    log.warn({ subscription: subscriptionId, reason }, 'webhook subscription disabled');
    await recordAudit(tx, {
      workspaceId,
      accountId: null,
      action: 'webhook.disabled',
      target: subscriptionId,
      detail: { url, reason },
      ipAddress: null,
      now,
    });
    const page = `${config.baseUrl}/settings/${workspaceId}/webhooks/${subscriptionId}`;
    const write = (to: string) =>
      composeNotice({
        to,
        subject: `Webhook endpoint disabled: ${new URL(url).hostname}`,
        paragraphs: [
          `We no longer send webhooks to ${url}. ${reason}`,
          'We keep recording events. Fix the endpoint, resume it, then replay what it missed from its page.',
        ],
        link: { label: 'View endpoint', url: page },
      });
    await mailOwners(tx, deps, { workspaceId, write });
  };
}
