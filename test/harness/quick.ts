// The files of `npm run test:quick`: the rules that need no service, the ledger, and one sign-in through every door. They
// run on the embedded database, together in less than 90 seconds on two cores; what costs more than it tells belongs in
// the whole run only.
export const quickFiles = [
  'accounts-email-address.test.ts',
  'accounts-password.test.ts',
  'adapter-contract.test.ts',
  'api-openapi.test.ts',
  'architecture.test.ts',
  'code-lifecycle-properties.test.ts',
  'environment.test.ts',
  'every-door.test.ts',
  'id.test.ts',
  'ledger-properties.test.ts',
  'ledger.test.ts',
  'look-ups.test.ts',
  'migration-rules.test.ts',
  'operations-deployment.test.ts',
  'section-4-userinfo.test.ts',
  'section-5-cookies.test.ts',
  'section-7-errors.test.ts',
  'section-8-limits.test.ts',
  'section-9-versioning.test.ts',
  'stores.test.ts',
  'webhooks-address.test.ts',
  'webhooks-documentation.test.ts',
  'webhooks-signature-check.test.ts',
];
