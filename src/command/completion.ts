// `tollgate completion`: what a shell may offer after each word, written from the commands themselves.
import { Argument, type Command } from 'commander';
import { example } from './ask.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion of commands and options for a shell')
    .addArgument(new Argument('<shell>', 'whose').choices(shells))
    .addHelpText('after', example('source <(tollgate completion bash)'))
    .action((shell: Shell) => console.log(scriptFor(shell, placesOf(program))));
}

/** The words so far ("application create"), and what may follow them. */
type Place = { path: string; commands: string[]; options: string[] };

function placesOf(command: Command, path: string[] = []): Place[] {
  const commands = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  const own = { path: path.join(' '), commands, options: [...options, '--help'] };
  return [own, ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()]))];
}

function scriptFor(shell: Shell, places: Place[]): string {
  if (shell === 'fish') return fishScript(places);
  return shell === 'zsh'
    ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`
    : bashScript(places);
}

function bashScript(places: Place[]): string {
  const cases = places.map(
    ({ path, commands, options }) => `    '${path}') words='${[...commands, ...options].join(' ')}' ;;`,
  );
  return `_tollgate() {
  local path='' word words='' known=' ${places.map(({ path }) => path.replaceAll(' ', '/')).join(' ')} '
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$known" in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac
  done
  case "\${path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate`;
}

function fishScript(places: Place[]): string {
  return places
    .map(({ path, commands, options }) => {
      const words = path.split(' ').filter((word) => word !== '');
      const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
      const next = commands.length > 0 ? [`not __fish_seen_subcommand_from ${commands.join(' ')}`] : [];
      const condition = [...seen, ...next].join('; and ');
      return `complete -c tollgate -n '${condition}' -a '${[...commands, ...options].join(' ')}'`;
    })
    .join('\n');
}
