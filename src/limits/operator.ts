// The data directory, the operator's socket, and the copies that go through it.
import { KIBIBYTE } from './units.ts';

export const dataDirectoryLockPollMilliseconds = 50;
/** A restart may meet the old process in its last moments; a second service should be refused at once. */
export const startLockWaitMilliseconds = 1_000;
/** Commands without a running service take turns; each needs about a second. */
export const commandLockWaitMilliseconds = 15_000;
/** `sun_path` has 108 bytes on Linux and 104 on macOS, the closing zero included. */
export const socketPathBytes = 103;
/** The largest request carries a logo, in base64. */
export const operatorRequestBytes = 1024 * KIBIBYTE;
/** `ledger verify` reads every transfer; everything else answers in milliseconds. */
export const operatorAnswerMilliseconds = 120_000;
/** Rows that `tollgate export` and `import` hold in memory at once. */
export const copyBatchRows = 500;
