// Long work on a terminal: a bar that grows until it is done. Scripts see nothing of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyProgress } from '../database/verification.ts';
import type { Answer } from '../operator/operation.ts';
import type { Operator } from '../operator/operator.ts';

const WIDTH = 30;
/** Wide enough for any of its lines. */
const PROOF_WIDTH = 78;
/** Between two lines about a proof: a terminal is read by people. */
const PROOF_MILLISECONDS = 200;
/** Between two looks at what another process is doing. */
const LOOK_MILLISECONDS = 250;

/**
 * Helps with the work until it is done. When it fails it stays where it is: the service goes on with it, and says why.
 * @returns whether it is done
 */
export async function finishWork(
  operator: Operator,
  work: { kind: string; subject: string },
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): Promise<boolean> {
  for (;;) {
    const state = await operator('work go-on', work);
    if (terminal.isTTY) terminal.write(`\r${progressLine(state)}`);
    if (state.finished === true || state.error !== null) {
      if (terminal.isTTY) terminal.write('\n');
      return state.finished === true;
    }
    await sleep(LOOK_MILLISECONDS);
  }
}

/** `[#####.....] 5000 of about 10000 rows` */
export function progressLine({ done, total, finished }: Answer): string {
  const [rows, all] = [Number(done), Math.max(Number(total ?? 0), Number(done))];
  const share = finished === true ? 1 : Math.min(all === 0 ? 0 : rows / all, 0.99);
  const filled = Math.round(share * WIDTH);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`;
  return total === null || finished === true ? `${bar} ${rows} rows` : `${bar} ${rows} of about ${all} rows`;
}

/** One line that changes until the proof is done, and then is gone. Scripts see nothing of it. */
export function showProofProgress(terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): {
  onProgress(progress: VerifyProgress): void;
  clear(): void;
} {
  let saidAt = Number.NEGATIVE_INFINITY;
  const write = (line: string) =>
    void terminal.write(`\r${line.slice(0, PROOF_WIDTH).padEnd(PROOF_WIDTH)}\r`);
  return {
    onProgress(progress) {
      if (!terminal.isTTY || performance.now() - saidAt < PROOF_MILLISECONDS) return;
      saidAt = performance.now();
      write(proofLine(progress));
    },
    clear() {
      if (saidAt !== Number.NEGATIVE_INFINITY) write('');
    },
  };
}

/** `3 of 19, 45000 rows: every balance equals …` */
function proofLine({ number, of, rows, rule }: VerifyProgress): string {
  return `${number} of ${of}, ${rows} rows: ${rule}`;
}
