// The files of `npm run test:quick`: the rules that need no service, the ledger, and one sign-in through every door. They
// run on the embedded database, together in less than 90 seconds on two cores; what costs more than it tells belongs in
// the whole run only.
export const quickFiles = [
  'accounts/email-address.test.ts',
  'accounts/password.test.ts',
  'oidc/adapter-contract.test.ts',
  'api/openapi.test.ts',
  'architecture.test.ts',
  'oidc/code-lifecycle-properties.test.ts',
  'operations/environment.test.ts',
  'hosted-pages/every-door.test.ts',
  'ground/id.test.ts',
  'ground/references.test.ts',
  'ledger/properties.test.ts',
  'ledger/ledger.test.ts',
  'database/look-ups.test.ts',
  'database/migration-rules.test.ts',
  'operations/deployment.test.ts',
  'spec/userinfo.test.ts',
  'spec/cookies.test.ts',
  'spec/errors.test.ts',
  'spec/limits.test.ts',
  'spec/versioning.test.ts',
  'harness/stores.test.ts',
  'webhooks/address.test.ts',
  'webhooks/documentation.test.ts',
  'webhooks/signature-check.test.ts',
];
