// Every kind of long work there is, by the name that its rows carry.
import type { WorkKinds } from './long-work.ts';
import { webhookWork } from './webhooks/backlog.ts';

export const workKinds: WorkKinds = { ...webhookWork };
