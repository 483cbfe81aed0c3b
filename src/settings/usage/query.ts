// What the usage page is asked to show: which applications of the workspace, how many days, and whether it renews
// itself. Another workspace's application and a made-up one are alike (threat 53).
import { listApplicationNames, type NamedApplication } from '../../applications/all-applications.ts';
import { TollgateError } from '../../errors.ts';
import { usageDays } from '../../limits/usage.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest } from '../shell/visit.ts';

export type UsageChoice = {
  applications: NamedApplication[];
  /** One of them, or all. */
  chosen: NamedApplication | undefined;
  applicationIds: string[];
  days: number;
  isLive: boolean;
};

/** @throws TollgateError not_found */
export async function readUsageChoice(
  { db }: Pick<SettingsDependencies, 'db'>,
  { workspace }: MemberVisit,
  { query }: Pick<SettingsRequest, 'query'>,
): Promise<UsageChoice> {
  const applications = await listApplicationNames(db, workspace.id);
  const wanted = query.application || undefined;
  const chosen = applications.find(({ id }) => id === wanted);
  if (wanted !== undefined && !chosen)
    throw new TollgateError('not_found', 'There is nothing at this address.');
  return {
    applications,
    chosen,
    applicationIds: chosen ? [chosen.id] : applications.map(({ id }) => id),
    days: usageDays.find((days) => String(days) === query.days) ?? 30,
    isLive: query.live === '1',
  };
}

/** The same page with something changed. */
export function usageRest(choice: UsageChoice, changed: { isLive?: boolean; days?: number } = {}): string {
  const { chosen, days, isLive } = { ...choice, ...changed };
  const query = new URLSearchParams({
    ...(chosen && { application: chosen.id }),
    days: String(days),
    ...(isLive && { live: '1' }),
  });
  return `/usage?${query}`;
}
