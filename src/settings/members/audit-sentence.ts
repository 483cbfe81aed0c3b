// What an entry of the audit log says: who did what to what, as a sentence. An action that is not known here, of an older
// or a newer release, is told by its name.
import type { AuditEntry } from '../../applications/audit-log.ts';
import { DAY, HOUR } from '../../limits/units.ts';
import { parseAmount, showMoney } from '../../money.ts';
import { readableTime } from '../../page/time.tsx';
import type { AuditNames } from './audit-names.ts';

type Told = Pick<AuditEntry, 'accountId' | 'action' | 'target' | 'detail'>;
type Context = { names: AuditNames; currency: string };

/** "Bea set a low-balance alert at €8.00 for “Shop”." */
export function auditSentence(entry: Told, context: Context): string {
  const tell = sentences[entry.action];
  const deed = tell ? tell(wordsOf(entry, context)) : `did “${actionName(entry.action)}”`;
  return `${context.names.person(entry.accountId)} ${deed}.`;
}

/** `api_key.revoked` is "API key revoked". */
export function actionName(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ').replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Words = ReturnType<typeof wordsOf>;

function wordsOf({ target, detail }: Told, { names, currency }: Context) {
  const text = (field: string) => (typeof detail[field] === 'string' ? detail[field] : undefined);
  const quoted = (name: string | undefined, otherwise: string) => (name ? `“${name}”` : otherwise);
  const application = quoted(names.application(text('application') ?? target), 'an application');
  const signed = text('amount') ?? '';
  const amount = parseAmount(signed.replace('-', ''));
  return {
    application,
    /** Where the entry itself says what it was called at the time. */
    named: (otherwise: string) => quoted(text('name'), otherwise),
    money: amount === undefined ? 'an amount' : showMoney(amount, text('currency') ?? currency),
    isNegative: signed.startsWith('-'),
    person: names.target(target) ?? 'somebody whose account is deleted',
    invited: names.target(target) ?? 'somebody',
    role: `${text('role') === 'owner' ? 'an' : 'a'} ${text('role') ?? 'member'}`,
    roleBefore: text('role_before') ?? 'member',
    endpoint: text('url')?.replace('https://', '') ?? 'an endpoint',
    since: moment(text('since')),
    at: moment(text('at')),
    text,
    overlap: duration(detail.overlapSeconds),
  };
}

const sentences: Record<string, (words: Words) => string> = {
  'workspace.created': ({ named }) => `created the workspace ${named('')}`.trimEnd(),
  'application.created': ({ named, application }) => `created the application ${named(application)}`,
  'application.deleted': ({ named, application }) => `deleted the application ${named(application)}`,
  'application.disabled': ({ application }) => `disabled ${application}`,
  'application.enabled': ({ application }) => `enabled ${application}`,
  'application.appearance_changed': ({ application, named, text }) =>
    `changed how ${application} looks: it is called ${named('the same')}${text('logo') === 'new' ? ' and has a new logo' : ''}${text('look') ? `; new: ${text('look')}` : ''}`,
  'application.logo_removed': ({ application }) => `removed the logo of ${application}`,
  'application.addresses_changed': ({ application }) => `changed the addresses of ${application}`,
  'application.client_rules_changed': ({ application, text }) =>
    `set the client rules of ${application} to ${text('rules') ?? 'others'}`,
  'application.devices_changed': ({ application, text }) =>
    `switched sign-in on devices ${text('devices') ?? 'on or off'} for ${application}`,
  'application.assurance_changed': ({ application }) => `changed the assurance of ${application}`,
  'application.went_live': ({ application }) => `took ${application} live`,
  'application.test_addresses_changed': ({ application }) => `changed the test addresses of ${application}`,
  'application.logout_changed': ({ application, endpoint, text }) =>
    text('url')
      ? `set the back-channel logout endpoint of ${application} to ${endpoint}`
      : `switched back-channel logout of ${application} off`,
  'client_secret.created': ({ application }) => `added a client secret to ${application}`,
  'client_secret.expired': ({ application, text, at }) =>
    `let the client secret …${text('hint') ?? ''} of ${application} end${at && ` on ${at}`}`,
  'api_key.created': ({ named }) => `created the API key ${named('')}`.trimEnd(),
  'api_key.rotated': ({ named, overlap }) => `rotated the API key ${named('')}`.trimEnd() + overlap,
  'api_key.revoked': ({ named }) => `revoked ${named('an API key')}`,
  'api.created': ({ named }) => `registered the API ${named('')}`.trimEnd(),
  'api.changed': ({ named }) => `changed the API ${named('')}`.trimEnd(),
  'api.deleted': ({ named }) => `deleted the API ${named('')}`.trimEnd(),
  'api.restored': ({ named }) => `restored the API ${named('')}`.trimEnd(),
  'webhook.created': ({ endpoint }) => `subscribed ${endpoint} to webhooks`,
  'webhook.changed': ({ endpoint }) => `changed the webhook subscription of ${endpoint}`,
  'webhook.deleted': ({ endpoint }) => `deleted the webhook subscription of ${endpoint}`,
  'webhook.restored': ({ endpoint }) => `restored the webhook subscription of ${endpoint}`,
  'webhook.paused': ({ endpoint }) => `paused webhooks to ${endpoint}`,
  'webhook.resumed': ({ endpoint }) => `resumed webhooks to ${endpoint}`,
  'webhook.tested': ({ endpoint }) => `sent a test event to ${endpoint}`,
  'webhook.replayed': ({ endpoint, text, since }) =>
    text('event')
      ? `sent ${text('event')} to ${endpoint} again`
      : `replayed failed deliveries to ${endpoint}${since && ` since ${since}`}`,
  'webhook.disabled': ({ endpoint }) =>
    `disabled webhooks to ${endpoint}, which accepted nothing for too long`,
  'webhook.secret_rotated': ({ endpoint, overlap }) => `rotated the signing secret of ${endpoint}${overlap}`,
  'member.added': ({ person, role }) => `added ${person} as ${role}`,
  'member.removed': ({ person }) => `removed ${person}`,
  'member.left': () => 'left the workspace',
  'member.role_changed': ({ person, role, roleBefore }) => `made ${person} ${role} instead of ${roleBefore}`,
  'invitation.sent': ({ invited, role }) => `invited ${invited} as ${role}`,
  'invitation.withdrawn': ({ invited }) => `withdrew the invitation of ${invited}`,
  'invitation.accepted': ({ role }) => `accepted an invitation and became ${role}`,
  'balance_warning.added': ({ money, application }) => `set an alert at ${money} for ${application}`,
  'balance_warning.removed': ({ money, application }) => `removed the alert at ${money} for ${application}`,
  'balance.credited': ({ money, application }) => `credited ${money} to ${application}`,
  'balance.corrected': ({ money, isNegative, application }) =>
    isNegative
      ? `corrected the balance of ${application} by −${money}`
      : `corrected the balance of ${application} by +${money}`,
  'payment.started': ({ money, application }) => `began a payment of ${money} for ${application}`,
  'event.refunded': ({ money, application }) => `refunded ${money} to ${application}`,
  'customer.sessions_ended': ({ application }) => `ended a customer’s sessions in ${application}`,
  'customers.exported': ({ application, text }) =>
    `exported the customers of ${application}${text('format') ? ` as ${text('format')?.toUpperCase()}` : ''}`,
};

function moment(text: string | undefined): string {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? '' : readableTime(at);
}

/** "; the old one works for 2 more days" */
function duration(seconds: unknown): string {
  if (typeof seconds !== 'number' || seconds <= 0) return '';
  const isDays = seconds >= DAY;
  const count = Math.round(seconds / (isDays ? DAY : HOUR));
  const unit = isDays ? 'day' : 'hour';
  return `; the old one works for ${count} more ${count === 1 ? unit : `${unit}s`}`;
}
