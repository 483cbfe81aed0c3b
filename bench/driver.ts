// The load driver's process.
import { type LoadOptions, runLoad, sampleLoad } from './load.ts';
import { answerCalls } from './processes.ts';

answerCalls({
  load: (options: LoadOptions) => runLoad(options),
  sample: (options: LoadOptions) => sampleLoad(options),
});
