// How busy this process is, for work that can wait: files, backlogs and long work share the process with sign-ins, and
// whoever signs in must not notice them (docs/decisions/0810).
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  pressureHighShare,
  pressureHighShareBesideSignIns,
  pressureMomentMilliseconds,
  pressurePauseFactor,
  pressurePauseMostMilliseconds,
} from '../limits/pressure.ts';

export type Pressure = {
  /** Whether more than half of the last moment went by at work, or a fifth if somebody signed in meanwhile. */
  isHigh(): boolean;
  /** Somebody signs in right now. */
  noteSignIn(): void;
  /** Between two pieces of work that can wait: a pause while the pressure is high, longer after a longer piece. */
  giveWay(tookMilliseconds: number): Promise<void>;
};

type Options = {
  now?: () => number;
  /** Milliseconds at work so far; what a busy machine gives to other programs counts as work. */
  active?: () => number;
};

export function createPressure({
  now = () => performance.now(),
  active = () => performance.eventLoopUtilization().active,
}: Options = {}): Pressure {
  let last = { at: now(), active: active() };
  let isHigh = false;
  let hasSignIns = false;

  function look(): boolean {
    const at = now();
    if (at - last.at < pressureMomentMilliseconds) return isHigh;
    const present = { at, active: active() };
    const most = hasSignIns ? pressureHighShareBesideSignIns : pressureHighShare;
    isHigh = (present.active - last.active) / (at - last.at) > most;
    hasSignIns = false;
    last = present;
    return isHigh;
  }

  return {
    isHigh: look,
    noteSignIn() {
      hasSignIns = true;
    },
    async giveWay(tookMilliseconds) {
      if (!look()) return;
      await sleep(Math.min(tookMilliseconds * pressurePauseFactor, pressurePauseMostMilliseconds));
    },
  };
}

/** For the endpoints that a sign-in passes. */
export function noteSignIns(pressure: Pick<Pressure, 'noteSignIn'>) {
  return (_ctx: unknown, next: () => Promise<unknown>): Promise<unknown> => {
    pressure.noteSignIn();
    return next();
  };
}
