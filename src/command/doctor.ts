// `tollgate doctor` on a terminal: one line for each finding, what to change below it, and an exit code for scripts.
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { diagnose } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import { connectOperator } from '../operator/socket.ts';
import { readEnvironment } from '../service/environment.ts';

const findingSchema = z.object({
  about: z.string(),
  state: z.enum(['ok', 'warning', 'problem']),
  says: z.string(),
  change: z.string().exactOptional(),
});

export async function runDoctor(options: { json?: true; notStarted?: true }): Promise<void> {
  const findings = await diagnose({
    environment: readEnvironment(),
    notStarted: options.notStarted ?? false,
    askService,
  });
  const isWell = findings.every(({ state }) => state !== 'problem');
  if (options.json) console.log(JSON.stringify({ ok: isWell, findings }, null, 2));
  else for (const finding of findings) console.log(lineOf(finding));
  if (!isWell) process.exitCode = 1;
}

async function askService({ dataDir }: Config): Promise<Finding[] | undefined> {
  const operator = await connectOperator(dataDir);
  if (!operator) return undefined;
  return z.array(findingSchema).parse((await operator('doctor', {})).findings);
}

const labels = { ok: 'ok      ', warning: 'WARNING ', problem: 'PROBLEM ' };

function lineOf({ about, state, says, change }: Finding): string {
  const line = `${labels[state]} ${about.padEnd(18)} ${says}`;
  return change === undefined ? line : `${line}\n${' '.repeat(28)}→ ${change}`;
}
