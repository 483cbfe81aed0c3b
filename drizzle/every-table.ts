// All tables by name, for what walks the whole database: the copy of it, and the tests that hold every table to a rule.
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as accounts from './schema/accounts.ts';
import * as applications from './schema/applications.ts';
import * as assurances from './schema/assurances.ts';
import * as balances from './schema/balances.ts';
import * as customers from './schema/customers.ts';
import * as engine from './schema/engine.ts';
import * as logoutNotices from './schema/logout-notices.ts';
import * as operations from './schema/operations.ts';
import * as proofs from './schema/proofs.ts';
import * as resources from './schema/resources.ts';
import * as sessions from './schema/sessions.ts';
import * as signIns from './schema/sign-ins.ts';
import * as traces from './schema/traces.ts';
import * as transfers from './schema/transfers.ts';
import * as usage from './schema/usage.ts';
import * as webhooks from './schema/webhooks.ts';
import * as workspaces from './schema/workspaces.ts';

export const everyTable: Record<string, PgTable> = Object.fromEntries(
  [
    accounts,
    applications,
    assurances,
    balances,
    customers,
    engine,
    logoutNotices,
    operations,
    proofs,
    resources,
    sessions,
    signIns,
    traces,
    transfers,
    usage,
    webhooks,
    workspaces,
  ]
    .flatMap((file) => Object.entries(file))
    .filter((entry): entry is [string, PgTable] => is(entry[1], PgTable)),
);
