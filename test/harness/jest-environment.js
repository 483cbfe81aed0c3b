// Node's environment, whose worker ends as soon as it is told to. A worker that has run many files holds a gigabyte, and
// giving that back piece by piece takes longer on a busy machine than the half second after which Jest calls it a leak.
import { TestEnvironment } from 'jest-environment-node';

let isReady = false;

export default class QuickToEnd extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // Nothing is cut short: by now the worker has nothing left to wait for.
    if (!isReady) process.on('exit', (code) => process.exit(code));
    isReady = true;
  }
}
