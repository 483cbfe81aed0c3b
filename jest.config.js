// Tests run as ES modules on Node 24 (npm scripts pick the pinned one), once on each kind of store: CONTRIBUTING.md.
import { hasPostgres } from './test/harness/database.ts';
import { hasRedis } from './test/harness/redis.ts';
import { embeddedFiles, runOnce } from './test/harness/stores.ts';

const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const common = {
  testEnvironment: '<rootDir>/test/harness/jest-environment.js',
  testMatch: ['<rootDir>/test/**/*.test.{ts,tsx}'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', swc] },
};

/** With CI=true the questions throw, so that nothing is left out unnoticed. */
const haveServers = (await hasPostgres()) && (await hasRedis());
const files = embeddedFiles({ both: process.env.STORES === 'both' || !haveServers });

const embedded = {
  ...common,
  ...(files && { testMatch: files.map((file) => `<rootDir>/test/${file}`) }),
  displayName: 'embedded',
  setupFilesAfterEnv: ['<rootDir>/test/harness/on-embedded.ts'],
};
const servers = {
  ...common,
  displayName: 'postgres+redis',
  setupFilesAfterEnv: ['<rootDir>/test/harness/on-servers.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...Object.keys(runOnce).map((file) => `<rootDir>/test/${file}$`),
  ],
};

export default {
  projects: haveServers ? [embedded, servers] : [embedded],
  reporters: haveServers ? ['default'] : ['default', '<rootDir>/test/harness/missing-stores-reporter.ts'],
  testTimeout: 180_000,
  // More than this machine's cores: many tests wait for a browser, a mail or another process.
  maxWorkers: 3,
  // Modules of finished files stay in memory; a worker that has grown is replaced before collecting slows it down.
  workerIdleMemoryLimit: '1.5GB',
};
