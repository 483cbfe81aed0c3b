// `npm run test:quick`: a few files of the embedded project, for daily work (test/harness/quick.ts).
import everything from './jest.config.js';
import { quickFiles } from './test/harness/quick.ts';

const [embedded] = everything.projects;

export default {
  ...everything,
  projects: [
    { ...embedded, displayName: 'quick', testMatch: quickFiles.map((file) => `<rootDir>/test/${file}`) },
  ],
  // Says that a half is missing, which here it always is.
  reporters: ['default'],
};
