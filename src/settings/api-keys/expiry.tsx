// Until when an API key works, as a form asks for it: a number of days, for ever, or a last day.

import { secondsAfter } from '../../clock.ts';
import type { FormFields } from '../../http/form.ts';
import { apiKeyLifetimeDays } from '../../limits/api-keys.ts';
import { DAY } from '../../limits/units.ts';
import { SelectField } from '../../page/choice-field.tsx';
import { DateField } from '../../page/field.tsx';

export type ApiKeyExpiry = { expiresAt: Date | undefined } | { problem: string };

export function readApiKeyExpiry(
  { expires = '', last_day: lastDay = '' }: FormFields,
  now: Date,
): ApiKeyExpiry {
  if (expires === 'never') return { expiresAt: undefined };
  const days = apiKeyLifetimeDays.find((each) => String(each) === expires);
  if (days !== undefined) return { expiresAt: secondsAfter(now, days * DAY) };
  if (expires !== 'date') return { problem: 'Choose when the key expires.' };
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(lastDay) ? new Date(`${lastDay}T00:00:00Z`) : undefined;
  if (!midnight || Number.isNaN(midnight.getTime()))
    return { problem: 'Enter the last day, for example 2027-01-31.' };
  const expiresAt = secondsAfter(midnight, DAY);
  return expiresAt > now ? { expiresAt } : { problem: 'That day has passed. Choose today or later.' };
}

export function ApiKeyExpiryFields({
  label = 'Works for',
  fields,
  problem,
}: {
  label?: string;
  fields: FormFields;
  problem: string | undefined;
}) {
  const isAboutDate = fields.expires === 'date';
  return (
    <div class="fields">
      <SelectField
        name="expires"
        label={label}
        value={fields.expires ?? '90'}
        problem={isAboutDate ? undefined : problem}
        options={[
          ...apiKeyLifetimeDays.map((days) => ({ value: String(days), label: `${days} days` })),
          { value: 'date', label: 'Custom date' },
          { value: 'never', label: 'No end' },
        ]}
      />
      <DateField
        name="last_day"
        label="Last day"
        note="UTC, only for “Custom date”"
        value={fields.last_day}
        problem={isAboutDate ? problem : undefined}
      />
    </div>
  );
}
