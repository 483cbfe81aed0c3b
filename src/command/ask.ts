// How a command of `tollgate` asks its operation: its options are the input, the answer is shown or printed as JSON.
import { type Command, Option } from 'commander';
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

type Parse<T> = (value: string, earlier: T | undefined) => T;

/**
 * An option that must be there, and says so. commander's own kind is asked for before the arguments, which come first in
 * what people type; this one is asked for after them.
 */
export function needs<T = string>(
  command: Command,
  flags: string,
  description: string,
  parse?: Parse<T>,
): Command {
  const option = new Option(flags, `${description}${REQUIRED}`);
  if (parse) option.argParser(parse);
  return command.addOption(option).hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) === undefined)
      command.error(`error: required option '${flags}' not specified`);
  });
}

const REQUIRED = ' (required)';

/** The first line of a help: what must be typed, and that there is more. */
export function usageOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  const arguments_ = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const required = command.options.filter(({ description }) => description.endsWith(REQUIRED));
  const rest = command.commands.length > 0 ? '<command>' : '[options]';
  return [...names, ...arguments_, ...required.map(({ flags }) => flags), rest].join(' ');
}

export function within(command: Command): Command {
  return command.option('--workspace <id or name>', 'the company; default: the oldest one');
}

export function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}

/** For options that may be given several times. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
