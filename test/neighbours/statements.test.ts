// No statement may touch a set of rows that somebody can make as large as they like, other than in bites (src/database/bites.ts): read
// from the statements themselves. What is left is about a handful of rows, each with the reason, or is still to be done.
import { describe, expect, test } from '@jest/globals';
import { isBounded, statementsOf, statementsOfSources } from './statements.ts';

const chosen = 'ids that its bite or batch has chosen';
const operators = 'one row for each key of the service, and a new one every 90 days';
const waysIn = 'of one account, which has a few (src/limits/account.ts), by index';
const byOneAccount = 'of one account, by index';

/** By file and function: what bounds it. */
const bounded: Record<string, string> = {
  'src/service/pairwise-key.ts resealPairwiseKeys': operators,
  'src/oidc/signing-keys/signing-keys.ts rotateSigningKeys': operators,
  'src/webhooks/subscription-change.ts restoreSubscription': 'one subscription, by its id',
  'src/oidc/signing-keys/signing-keys.ts replaceSigningKeys': operators,
  'src/oidc/signing-keys/signing-keys.ts resealSigningKeys': operators,
  'src/oidc/signing-keys/signing-keys.ts listSealedSigningKeys': operators,
  'src/service/pairwise-key.ts listSealedKeys': operators,
  'src/ledger/charge.ts debitStatement': 'the applications of one batch of charges',
  'src/ledger/event-position.ts position': chosen,
  'src/applications/customer.ts recordSessions': 'the customers of one batch of charges',
  'src/applications/customer.ts uncountSession': 'one customer: a sub is unique in its application',
  'src/applications/customer.ts unregister': 'one customer: a sub is unique in its application',
  'src/ledger/statement.ts entriesQuery': 'its callers add the application, the month and a limit',
  'src/webhooks/backlog.ts deleteDeliveries': chosen,
  'src/webhooks/backlog.ts replaySome': chosen,
  'src/webhooks/backlog.ts withdrawSome': chosen,
  'src/webhooks/delivery.ts disable': 'one subscription',
  'src/webhooks/delivery-claim.ts claimTurn': 'as many as there are free places',
  'src/webhooks/delivery-claim.ts release': 'what one process has claimed: as many as it has places',
  'src/webhooks/release.ts releaseForgotten': chosen,
  'src/webhooks/release.ts releaseWebhooks': 'the events of one batch of releases',
  'src/webhooks/release.ts withdrawWebhooks': 'one event: a delivery for each endpoint of its company',
  'src/webhooks/delivery-rows.ts writeFailing': chosen,
  'src/webhooks/delivery-rows.ts writeDeliveries': chosen,
  'src/webhooks/forget-person.ts deleteArrived': chosen,
  'src/webhooks/logout-claim.ts claimLogouts': 'as many as there are free places',
  'src/webhooks/logout-claim.ts releaseLogouts': 'what one process has claimed: as many as it has places',
  'src/webhooks/logout-claim.ts withdrawSome': chosen,
  'src/webhooks/logout-notice.ts endSomeGrants': chosen,
  'src/webhooks/retention.ts deleteSomeMessages': chosen,
  'src/accounts/import-proofs.ts importAccounts': chosen,
  'src/accounts/import-proofs.ts importIdentities': chosen,
  'src/accounts/import-proofs.ts importPasskeys': chosen,
  'src/accounts/proof-end.ts deleteNewcomersProofs':
    'of one mailbox, in a day: a few codes an hour, by index',
  'src/accounts/proof-end.ts deleteSomeProofsOf': chosen,
  'src/accounts/proof-end.ts deleteUnusedOf': chosen,
  'src/accounts/session-use.ts recordSessionUses': chosen,
  'src/accounts/deletion.ts closeAccount': waysIn,
  'src/accounts/email-change.ts endOthersChangesTo':
    'changes to one address that wait for their code, for minutes',
  'src/accounts/email-return.ts takeEmailAddressBack': waysIn,
  'src/accounts/email-return.ts endPendingChanges': waysIn,
  'src/accounts/email-return.ts endChangesSince': waysIn,
  'src/accounts/ownership.ts claimAccount': waysIn,
  'src/accounts/sign-in-flow.ts endFlowsOfEmail': 'of one address, which gets a few codes an hour, by index',
  'src/applications/client-secret-list.ts recordClientSecretUse': 'one secret of an application, by its hash',
  'src/applications/customers-of-account.ts deleteConsents': byOneAccount,
  'src/applications/resource-change.ts deleteParts':
    'of one API: its scopes, and the applications of its company that were chosen',
  'src/applications/test-mode.ts goLive': 'the customers of test mode, which are a hundred at most',
  'src/applications/membership.ts deleteMemberships': byOneAccount,
  'src/applications/invitation.ts createInvitation': 'to one address from one company: the one that it had',
  'src/applications/invitation.ts withdrawInvitationsOf': 'open ones of one company, which has a few',
  'src/applications/invitation.ts forgetInInvitations': 'to and from one person, by index',
};

/** What a person or company can still make as large as they like, with what it costs whom. */
const unbounded: Record<string, string> = {
  'src/accounts/generation.ts raiseGeneration': "an account's sessions of the last 14 days, while it is held",
  'adapters/revoke.ts deleteRecords':
    'what one account, or some grants, hold with the engine, while the account is held',
  'src/webhooks/signing-secret.ts listSealedSecrets':
    'the secrets of all endpoints in memory, for the operator',
  'src/applications/workspace.ts listWorkspaces': 'all companies in memory, for the operator',
  'src/database/verification.ts verifyWhenDue': 'proofs of 90 days, one an hour',
};

test('what changes or reads many rows at once is in bites, or bounded for a reason that is written down', async () => {
  const large = (await statementsOfSources()).filter((statement) => !isBounded(statement));
  const places = [...new Set(large.map(({ where }) => where))].sort();
  expect(places).toEqual([...Object.keys(bounded), ...Object.keys(unbounded)].sort());
});

describe('the rule sees', () => {
  test.each([
    'await tx.delete(sessions).where(eq(sessions.accountId, id));',
    'await db\n  .update(flows)\n  .set({ email })\n  .where(eq(flows.email, email));',
    'await db.execute(sql`delete from flows where email = 1`);',
    'await db.execute(sql`update flows set email = 1`);',
    'const all = await db.select().from(accounts);',
    // Half of a key of two columns.
    'await tx.delete(members).where(eq(members.accountId, accountId));',
  ])('%s', (code) => {
    expect(statementsOf('a.ts', code).filter((each) => !isBounded(each))).toHaveLength(1);
  });

  test.each([
    'await tx.delete(sessions).where(eq(sessions.uidHash, hash));',
    'const some = await db.select().from(accounts).limit(10);',
    'await tx.delete(members).where(and(eq(members.accountId, a), eq(members.workspaceId, w)));',
  ])('that one row is one row: %s', (code) => {
    expect(statementsOf('a.ts', code).filter((each) => !isBounded(each))).toEqual([]);
  });
});
