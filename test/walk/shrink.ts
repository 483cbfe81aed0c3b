// The shortest story that still breaks the same rule: steps are left out in halves, quarters and one by one (Zeller's
// delta debugging), then two at once become one after the other where that is enough.
import type { AnyStep } from './story.ts';
import { type Tale, tellAgain } from './tale.ts';
import type { World } from './world.ts';

/** Races do not come out the same way each time. */
const TRIES_OF_A_RACE = 3;

export async function shrink(world: World, tale: Tale): Promise<Tale> {
  const rule = tale.violation?.rule;
  let best = tale;
  const attempt = async (steps: AnyStep[]): Promise<boolean> => {
    const tries = steps.some((step) => 'both' in step) ? TRIES_OF_A_RACE : 1;
    for (let time = 0; time < tries; time += 1) {
      const again = await tellAgain(world, steps, (violation) => violation.rule === rule);
      if (again.violation && again.steps.length <= best.steps.length) {
        best = { ...again, theme: tale.theme };
        return true;
      }
    }
    return false;
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < best.steps.length; ) {
      const shorter = [...best.steps.slice(0, start), ...best.steps.slice(start + size)];
      if (!(await attempt(shorter))) start += size;
    }
  }
  for (let place = 0; place < best.steps.length; place += 1) {
    const step = best.steps[place];
    if (!step || !('both' in step)) continue;
    for (const instead of [[...step.both], [step.both[0]], [step.both[1]]])
      if (await attempt([...best.steps.slice(0, place), ...instead, ...best.steps.slice(place + 1)])) break;
  }
  return best;
}
