// `npm run walk`: stories until there are enough steps, or until a rule is broken; then the shortest story that breaks it.

import { tell } from './acts.ts';
import { takeClock } from './clock.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { shrink } from './shrink.ts';
import { type Tale, tellBySeed } from './tale.ts';
import { openWorld, type World } from './world.ts';

/** A world gets slower with what it has seen, and its clock runs ahead. */
const STORIES_OF_A_WORLD = 400;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function walk(options: Options): Promise<number> {
  const clock = takeClock();
  const broken = new Map<string, { seed: number; steps: number }>();
  let world: World | undefined;
  let steps = 0;
  let stories = 0;
  let busyMilliseconds = 0;
  let coreMilliseconds = 0;
  const looks = ({ rule }: { rule: string }) =>
    !broken.has(rule) && (!options.hunt || rule.includes(options.hunt));
  const endsAt = performance.now() + options.seconds * 1000;
  while (steps < options.steps && performance.now() < endsAt) {
    if (!world || stories % STORIES_OF_A_WORLD === 0) {
      await world?.close();
      world = await openWorld(options.stores, clock);
    }
    const seed = options.seed + stories;
    const startedAt = performance.now();
    const worked = process.cpuUsage();
    const tale = await tellBySeed(world, seed, looks, options.theme);
    busyMilliseconds += performance.now() - startedAt;
    const { user, system } = process.cpuUsage(worked);
    coreMilliseconds += (user + system) / 1000;
    steps += tale.count;
    stories += 1;
    if (!tale.violation) continue;
    const shortest = await shrink(world, tale);
    report(shortest, { seed, steps, options });
    broken.set(tale.violation.rule, { seed, steps });
    if (!options.survey) break;
  }
  await world?.close();
  clock.restore();
  const perSecond = (milliseconds: number) => Math.round((steps / Math.max(1, milliseconds)) * 1000);
  const speed = `${perSecond(busyMilliseconds)} steps/s, ${perSecond(coreMilliseconds)} in each second of a core`;
  print(
    `${steps} steps in ${stories} stories from seed ${options.seed} on ${options.stores} (${speed}; Node ${process.version}): ${broken.size} rules broken`,
  );
  for (const [rule, found] of broken) print(`  seed ${found.seed}, step ${found.steps}: ${rule}`);
  return broken.size > 0 ? 1 : 0;
}

function report(
  tale: Tale,
  { seed, steps, options }: { seed: number; steps: number; options: Options },
): void {
  print(`\nBroken: ${tale.violation?.rule}`);
  print(`  ${tale.violation?.detail}`);
  print(
    `  seed ${seed} (${options.stores}), after ${steps} steps; the theme was "${tale.theme}"; ${tale.steps.length} steps are enough:`,
  );
  for (const [place, step] of tale.steps.entries()) print(`  ${place + 1}. ${tell(step)}`);
  const theme = options.theme ? ` --theme '${options.theme}'` : '';
  print(
    `  Again: npm run walk -- --steps 1 --seed ${seed} --stores ${options.stores}${theme} --hunt '${tale.violation?.rule}'\n`,
  );
}

const options = readOptions(process.argv.slice(2));
if (options) process.exit(await walk(options));
print(HELP);
