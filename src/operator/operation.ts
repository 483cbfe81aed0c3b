// What every operation of an operator is made of: a checked input, the services that it works with,
// and an answer that is plain JSON, because it may travel over a socket (src/operator/socket.ts).
import { z } from 'zod';
import {
  type Application,
  findApplication,
  findApplicationByClientId,
  findKeptApplication,
} from '../applications/application.ts';
import { listWorkspaces, type Workspace } from '../applications/workspace.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import { type Provable, type VerifyProgress, verifyAtOneMoment } from '../database/verification.ts';
import { TollgateError } from '../errors.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { Keys } from '../secrets.ts';

export type OperatorDependencies = {
  db: Database;
  keys: Keys;
  clock: Clock;
  config: Pick<
    Config,
    | 'baseUrl'
    | 'isLoopback'
    | 'currency'
    | 'registrationPrice'
    | 'signInPrice'
    | 'welcomeCredit'
    | 'webhookAllowLoopback'
    | 'strictClientsOnly'
  >;
  /** For operations that queue work: a running service's queue, or one that only writes. */
  jobs(): Promise<Jobs>;
  /** For a person who waits at a terminal: how far a proof is. */
  onProgress?: (progress: VerifyProgress) => void;
  /** After a change of the signing keys: a running service puts them to use at once. */
  signingKeysChanged(): Promise<void>;
};

/** The audit log's way of saying that nobody of the company did it. */
export function byOperator(now: Date) {
  return { accountId: null, ipAddress: null, now };
}

export type Json = z.core.util.JSONType;
export type Answer = { [name: string]: Json };
export type Operation = (deps: OperatorDependencies, input: unknown) => Promise<Answer>;

export function operation<T extends z.ZodType>(
  inputSchema: T,
  run: (deps: OperatorDependencies, input: z.infer<T>) => Promise<Answer>,
): Operation {
  return async (deps, input) => {
    const parsed = inputSchema.safeParse(input ?? {});
    if (parsed.success) return run(deps, parsed.data);
    const [issue] = parsed.error.issues;
    throw new TollgateError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}.`);
  };
}

/** Everything that a proof found, rule by rule. */
export function proof(what: Provable): Operation {
  return operation(z.strictObject({}), async ({ db, onProgress }) => {
    const { ok, checks } = await verifyAtOneMoment(db, what, { ...(onProgress && { onProgress }) });
    const plain = checks.map(({ rule, violations }) => ({
      rule,
      violations: z.array(z.json()).parse(JSON.parse(JSON.stringify(violations))),
    }));
    return { ok, checks: plain };
  });
}

/** Every operation within a company takes this; without it the oldest workspace is meant. */
export const workspaceField = { workspace: z.string().optional() };

export async function chooseWorkspace(db: Database, wanted: string | undefined): Promise<Workspace> {
  const all = await listWorkspaces(db);
  if (wanted === undefined) {
    const [oldest] = all;
    if (oldest) return oldest;
    throw new TollgateError(
      'not_found',
      'There is no workspace yet; create one with `tollgate workspace create --name <name>`.',
    );
  }
  const matching = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length > 1) {
    throw new TollgateError(
      'conflict',
      `Several workspaces are called "${wanted}"; use the workspace ID instead.`,
    );
  }
  const [only] = matching;
  if (only) return only;
  throw new TollgateError('not_found', `There is no workspace "${wanted}"; see \`tollgate workspace list\`.`);
}

/** People have either id at hand: the one of the API or the Client ID of their configuration. */
export async function chooseApplication(db: Database, wanted: string): Promise<Application> {
  const found = (await findApplication(db, wanted)) ?? (await findApplicationByClientId(db, wanted));
  if (found) return found;
  throw new TollgateError(
    'not_found',
    `There is no application "${wanted}"; see \`tollgate application list\`.`,
  );
}

/** Deleted ones as well: their money outlives them. */
export async function chooseKeptApplication(db: Database, wanted: string): Promise<Application> {
  return (await findKeptApplication(db, wanted)) ?? (await chooseApplication(db, wanted));
}
