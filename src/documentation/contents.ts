// What stands in the navigation of /docs, in the order of reading: a path for each reader. Each page is a file of docs/,
// and test/documentation/pages.test.ts fails when one of them is missing here.
export type Chapter = { name: string; lead: string; pages: Entry[] };
export type Entry = { slug: string; label: string };

export const chapters: Chapter[] = [
  {
    name: 'Integrate',
    lead: 'From an account to your own application signing people in: ten minutes.',
    pages: [
      { slug: 'integrate', label: 'Integrate in ten minutes' },
      { slug: 'test-mode', label: 'Test mode' },
      { slug: 'clients', label: 'Client libraries' },
      { slug: 'devices', label: 'Devices and native applications' },
      { slug: 'assurance', label: 'High assurance' },
      { slug: 'webhooks', label: 'Webhooks' },
      { slug: 'apis', label: 'Tokens for your own API' },
      { slug: 'api', label: 'Customer-data API' },
      { slug: 'settings', label: 'Company settings' },
      { slug: 'account-page', label: 'Account page' },
    ],
  },
  {
    name: 'Understand',
    lead: 'How charging works, what each token is and for how long, which limits there are, what an error means.',
    pages: [
      { slug: 'promises', label: 'What Tollgate promises' },
      { slug: 'threats', label: 'What will be tried' },
      { slug: 'conformance', label: 'Conformance' },
      { slug: 'charging', label: 'How charging works' },
      { slug: 'tokens', label: 'Tokens and lifetimes' },
      { slug: 'limits', label: 'Limits' },
      { slug: 'errors', label: 'Errors and what to do' },
      { slug: 'interaction', label: 'A sign-in, step by step' },
      { slug: 'glossary', label: 'Glossary' },
    ],
  },
  {
    name: 'Go live',
    lead: 'What to check before real people come, and how to bring those that you have.',
    pages: [
      { slug: 'go-live', label: 'Go-live checklist' },
      { slug: 'migration', label: 'Migrate to Tollgate' },
    ],
  },
  {
    name: 'Operate',
    lead: 'For whoever runs the service itself: settings, health, keys, backups, upgrades.',
    pages: [
      { slug: 'operations', label: 'Operations' },
      { slug: 'social-providers', label: 'Google, Apple and GitHub' },
      { slug: 'reliability', label: 'Reliability' },
      { slug: 'performance', label: 'Performance' },
      { slug: 'scaling', label: 'Scaling' },
      { slug: 'identity-invariants', label: 'Identity invariants' },
      { slug: 'architecture', label: 'Architecture' },
      { slug: 'walker', label: 'The walker' },
      { slug: 'decisions', label: 'Decisions' },
    ],
  },
];
