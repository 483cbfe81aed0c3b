// Every kind of long work there is, by the name that its rows carry.
import { ACCOUNT_END, accountEnd } from '../../interactions/account/person-end.ts';
import { resourceWork } from '../applications/resource-deletion.ts';
import type { WorkKinds } from '../queue/long-work.ts';
import { webhookWork } from '../webhooks/backlog.ts';

export const workKinds: WorkKinds = { [ACCOUNT_END]: accountEnd, ...resourceWork, ...webhookWork };
