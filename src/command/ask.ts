// How a command of `tollgate` asks its operation: its options are the input, the answer is shown or printed as JSON.
import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import type { Answer } from '../operator/operation.ts';
import { readEnvironment } from '../service/environment.ts';
import { withOperator } from './operator.ts';
import { showAnswer } from './output.ts';
import { finishWork } from './progress.ts';

/** The command's options and arguments, by their names, are the operation's input. */
export function asks(
  command: Command,
  operation: string,
  exampleLine: string,
  show: (answer: Answer) => void = (answer) => showAnswer(answer, {}),
  /** What the answer began, and the command sees through. */
  begun: (answer: Answer) => { kind: string; subject: string } | undefined = () => undefined,
): Command {
  return command
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', example(exampleLine))
    .action(async () => {
      const { json, ...input } = command.opts();
      for (const [position, argument] of command.registeredArguments.entries()) {
        input[argument.name()] = command.processedArgs[position];
      }
      const config = readConfig(readEnvironment());
      const answer = await withOperator(config, async (operator) => {
        const answered = await operator(operation, input);
        const work = begun(answered);
        if (work && !(await finishWork(operator, work))) process.exitCode = 1;
        return answered;
      });
      if (json) showAnswer(answer, { json });
      else show(answer);
      if (answer.ok === false) process.exitCode = 1;
    });
}

export function within(command: Command): Command {
  return command.option('--workspace <id or name>', 'the company; default: the oldest one');
}

export function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
