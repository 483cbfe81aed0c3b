// The sections of a workspace's settings, in the order of the navigation. Some are for owners only; those of `aside` stand
// elsewhere than in the main list.
import type { Role } from '../../applications/member.ts';

export const sections = {
  overview: { label: 'Overview', path: '', role: 'viewer' },
  applications: { label: 'Applications', path: '/applications', role: 'viewer' },
  'api-keys': { label: 'API keys', path: '/api-keys', role: 'viewer' },
  apis: { label: 'APIs', path: '/apis', role: 'viewer' },
  webhooks: { label: 'Webhooks', path: '/webhooks', role: 'viewer' },
  usage: { label: 'Usage', path: '/usage', role: 'viewer' },
  members: { label: 'Members', path: '/members', role: 'viewer' },
  'audit-log': { label: 'Audit log', path: '/audit-log', role: 'owner' },
  sessions: { label: 'Your sessions', path: '/sessions', role: 'viewer' },
} as const satisfies Record<string, { label: string; path: string; role: Role }>;

export type Section = keyof typeof sections;
export const aside: readonly Section[] = ['sessions'];
