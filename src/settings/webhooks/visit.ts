// What every page about a webhook subscription does first: find it within the member's own workspace.
import { findSubscription, type Subscription } from '../../webhooks/subscription.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest } from '../shell/visit.ts';

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

/** The same where there is little room, and the whole of it stands nearby. */
export function endpointHost({ url }: Pick<Subscription, 'url'>): string {
  return new URL(url).host;
}
