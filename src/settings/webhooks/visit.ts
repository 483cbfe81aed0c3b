// What every page about a webhook subscription does first: find it within the member's own workspace; and what a form
// does that cannot be done at the moment: the same page again, with the reason.
import { TollgateError } from '../../errors.ts';
import { findSubscription, type Subscription } from '../../webhooks/subscription.ts';
import type { MemberVisit, SettingsRequest, SettingsDependencies } from '../shell/visit.ts';

/** Another workspace's, a deleted and a made-up one are alike. @throws TollgateError not_found */
export function subscriptionOf(
  { db }: Pick<SettingsDependencies, 'db'>,
  visit: MemberVisit,
  { params }: Pick<SettingsRequest, 'params'>,
): Promise<Subscription> {
  return findSubscription(db, {
    workspaceId: visit.workspace.id,
    subscriptionId: params.subscription ?? '',
  });
}

export function subscriptionRest({ id }: Pick<Subscription, 'id'>, page = ''): string {
  return `/webhooks/${id}${page}`;
}

/** An endpoint as it is called on pages: without the scheme, which is always the same. */
export function endpointName({ url }: Pick<Subscription, 'url'>): string {
  return url.replace('https://', '').replace(/\/$/, '');
}

/** What the person can mend, for the page to say; every other failure goes on. */
export async function refusalOf(work: () => Promise<void>): Promise<TollgateError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof TollgateError && MENDABLE.has(error.code)) return error;
    throw error;
  }
}

const MENDABLE = new Set(['invalid_request', 'conflict', 'too_many_requests']);
