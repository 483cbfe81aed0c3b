// What the command says of itself: help and completion of every command, as a real process.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';

describe('what the command says of itself', () => {
  let tollgate: CommandLine;
  beforeAll(async () => {
    tollgate = await createCommandLine();
  });
  afterAll(() => tollgate.remove());

  test('help shows what must be typed, arguments first, and marks it', async () => {
    const help = (line: string) => tollgate.run(`${line} --help`).then(({ stdout }) => stdout);
    expect(await help('credit')).toMatch(
      /^Usage: tollgate credit <application> <amount> --reference <text> \[options\]\n/,
    );
    expect(await help('credit')).toMatch(/--reference <text> .*\(required\)/s);
    expect(await help('application create')).toMatch(
      /^Usage: tollgate application create --name <name> --callback <url> \[options\]\n/,
    );
    expect(await help('application')).toMatch(/^Usage: tollgate application <command>\n/);
  });

  test('completion: bash offers commands, then options, of the very command', async () => {
    const { stdout } = await tollgate.run('completion bash');
    const script = join(tollgate.directory, 'completion.bash');
    await writeFile(script, stdout);
    const offer = (words: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const line = `source ${script}; COMP_WORDS=(tollgate ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _tollgate; echo "\${COMPREPLY[@]}"`;
        execFile('bash', ['-c', line], (error, out) =>
          error ? reject(error) : resolve(out.trim().split(' ')),
        );
      });
    expect(await offer(['appl'])).toEqual(['application']);
    expect(await offer(['application', 'del'])).toEqual(['delete']);
    expect(await offer(['application', 'create', '--c'])).toEqual(['--callback']);
    expect(await offer(['credit', 'app_1', '--ref'])).toEqual(['--reference']);
    for (const shell of ['zsh', 'fish']) {
      const { code, stdout: text } = await tollgate.run(`completion ${shell}`);
      expect([code, text]).toEqual([0, expect.stringContaining('application')]);
    }
    expect((await tollgate.run('completion tcsh')).stderr).toMatch(/Allowed choices are bash, zsh, fish/);
  });
});

test('every command has a help that says what it does, what it takes, and gives an example', async () => {
  const tollgate = await createCommandLine();
  const commands = ['start', 'migrate', 'credit', 'correct', 'refund'];
  for (const group of ['workspace', 'application', 'api-key', 'webhook', 'keys', 'ledger']) {
    const { stdout } = await tollgate.run(`${group} --help`);
    const names = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([\w-]+)/gm)].map(
      ([, name]) => name,
    );
    commands.push(...names.filter((name) => name !== 'help').map((name) => `${group} ${name}`));
  }
  expect(commands.length).toBeGreaterThanOrEqual(20);
  for (const command of commands) {
    const { code, stdout } = await tollgate.run(`${command} --help`);
    expect([command, code]).toEqual([command, 0]);
    expect(stdout).toMatch(/^Usage: tollgate .+\n\n\w[\s\S]+\nExample:\n {2}\$ .*npx tollgate /);
    if (command !== 'start') expect(stdout).toContain('--json');
  }
  await tollgate.remove();
});
