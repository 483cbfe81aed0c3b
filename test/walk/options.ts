// What `npm run walk` is asked for.
import { parseArgs } from 'node:util';
import type { Stores } from './world.ts';

export type Options = {
  steps: number;
  seconds: number;
  seed: number;
  stores: Stores;
  theme: string | undefined;
  hunt: string | undefined;
  survey: boolean;
};

export const HELP = `npm run walk -- [options]

  People with good and bad intentions walk the hosted pages, the account page and company settings by chance, and after
  each step it is asked whether anybody got what they did not prove. See docs/walker.md.

  --steps N       how many steps to walk (2000)
  --seconds N     how long to walk at most (no limit)
  --seed S        where chance begins (1); a story of another run: its own seed, with --steps 1
  --stores KIND   embedded (PGlite) or servers (PostgreSQL and Redis, two processes) (embedded)
  --theme TEXT    only stories whose theme has these words in its name
  --hunt TEXT     only violations whose rule has these words
  --survey        do not stop at a violation: go on, and tell each rule that is broken once
  --help          this text

  Ends with 0 when no rule was broken, otherwise with 1 and the shortest story that breaks it.
`;

/** undefined: only the help was asked for. */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      steps: { type: 'string', default: '2000' },
      seconds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      stores: { type: 'string', default: 'embedded' },
      theme: { type: 'string' },
      hunt: { type: 'string' },
      survey: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    steps: wholeNumber('steps', values.steps),
    seconds: values.seconds === undefined ? Number.POSITIVE_INFINITY : wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    stores: storesCalled(values.stores),
    theme: values.theme,
    hunt: values.hunt,
    survey: values.survey,
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} is a whole number, not ${text}`);
}

function storesCalled(text: string): Stores {
  if (text === 'embedded' || text === 'servers') return text;
  throw new RangeError(`--stores is embedded or servers, not ${text}`);
}
