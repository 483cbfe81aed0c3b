// What every page about an API does first: find it within the member's own workspace.
import type { Application } from '../../applications/application.ts';
import { findResource, type Resource } from '../../applications/resource-list.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest } from '../shell/visit.ts';

/** Another workspace's, a deleted and a made-up one are alike. @throws TollgateError not_found */
export function apiOf(
  { db }: Pick<SettingsDependencies, 'db'>,
  visit: MemberVisit,
  { params }: Pick<SettingsRequest, 'params'>,
): Promise<Resource> {
  return findResource(db, { workspaceId: visit.workspace.id, resourceId: params.api ?? '' });
}

export function apiRest({ id }: Pick<Resource, 'id'>, page = ''): string {
  return `/apis/${id}${page}`;
}

export function namesOf(applications: Application[], ids: string[]): string {
  const names = applications.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : 'None yet';
}
