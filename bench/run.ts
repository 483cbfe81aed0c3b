// `npm run bench [section …]`: every figure of docs/performance.md. Without a section, all of them; `--quick` makes
// few short rounds, to see that the bench itself works.
import { benchAblation } from './ablation/ablation.ts';
import { benchAccountsVerify } from './accounts-verify.ts';
import { benchBacklogs } from './backlogs.ts';
import { benchCharges } from './charges.ts';
import { benchEveryLoad } from './every-load.ts';
import { benchFeatures } from './features.ts';
import { benchMemory } from './memory.ts';
import { benchQueues } from './queues.ts';
import { benchReads } from './reads.ts';
import { say, sayMachine } from './report.ts';
import { benchSignIns } from './sign-ins.ts';
import { benchStartUp } from './start-up.ts';
import { benchVolume } from './volume.ts';

/** An hour by itself, and about decisions rather than about the service: only when it is asked for. */
const LONG = 'ablation';

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const rows = numberOf('rows', 10_000_000);
const minutes = numberOf('minutes', 20);
const accounts = numberOf('accounts', 100_000);
const rounds = numberOf('rounds', 12);

const sections: Record<string, () => Promise<void>> = {
  'sign-ins': () =>
    benchSignIns(
      isQuick
        ? { sets: 1, rounds: 1, seconds: 3, warmUpSeconds: 3 }
        : { sets: 3, rounds: 6, seconds: 2, warmUpSeconds: 20 },
    ),
  'every-load': () =>
    benchEveryLoad(
      isQuick
        ? { rounds: 1, seconds: 2, warmUpSeconds: 3, beside: textOf('beside') }
        : { rounds, seconds: 3, warmUpSeconds: 20, beside: textOf('beside') },
    ),
  ablation: () =>
    benchAblation({
      ...(isQuick
        ? { rounds: 1, seconds: 1, warmUpSeconds: 2, mails: 300 }
        : { rounds, seconds: 3, warmUpSeconds: 20, mails: 2_000 }),
      only: textOf('only')?.split(','),
    }),
  charges: () => benchCharges(isQuick ? { rounds: 1, seconds: 3 } : { rounds: 5, seconds: 4 }),
  volume: () =>
    benchVolume(
      isQuick
        ? { rows: 10_000, pages: 50, rounds: 1, seconds: 3 }
        : { rows, pages: 500, rounds: 5, seconds: 8 },
    ),
  reads: () => benchReads({ rows: isQuick ? 10_000 : rows, rounds: isQuick ? 3 : 20 }),
  queues: () => benchQueues(isQuick ? { webhooks: 300, mails: 300 } : { webhooks: 3_000, mails: 2_000 }),
  features: () => benchFeatures({ rounds: isQuick ? 5 : 300 }),
  'start-up': () => benchStartUp({ rounds: isQuick ? 1 : 3 }),
  'accounts-verify': () =>
    benchAccountsVerify(isQuick ? { accounts: 1_000, rounds: 1 } : { accounts, rounds: 5 }),
  backlogs: () =>
    benchBacklogs(
      isQuick
        ? { messages: 5_000, ownEvents: 2_000, records: 5_000 }
        : { messages: 1_500_000, ownEvents: 20_000, records: 900_000 },
    ),
  memory: () =>
    benchMemory(
      isQuick
        ? { signIns: 1_000_000, minutes: 0.2, stretchSeconds: 3 }
        : { signIns: 1_000_000, minutes, stretchSeconds: 30 },
    ),
};

const asked = words.filter((word) => !word.startsWith('--'));
const unknown = asked.find((word) => !(word in sections));
if (unknown !== undefined)
  throw new Error(`sections are ${Object.keys(sections).join(', ')}; not ${unknown}`);

await sayMachine();
for (const [name, run] of Object.entries(sections)) {
  if (asked.length === 0 ? name !== LONG : asked.includes(name)) await run();
}
say();

function numberOf(option: string, otherwise: number): number {
  const text = textOf(option);
  return text === undefined ? otherwise : Number(text);
}

function textOf(option: string): string | undefined {
  const word = words.find((each) => each.startsWith(`--${option}=`));
  return word?.slice(`--${option}=`.length);
}
