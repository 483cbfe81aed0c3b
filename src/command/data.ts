// `tollgate export` and `tollgate import`: the whole of a service's data as one file (from the embedded database to
// PostgreSQL, say), and what is known of a person, to hand over or to delete.
import type { Command } from 'commander';
import type { Answer } from '../operator/operation.ts';

type Show = (answer: Answer, options: { json?: true }) => void;

export function addDataCommands(program: Command, show: Show): void {
  program
    .command('export')
    .description(
      'write everything into a file (stop the embedded service first); keep it as safe as the secret',
    )
    .argument('<file>', 'must not exist yet')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ npx tollgate export tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => {
      const { runExport } = await import('./copy.ts');
      show(await runExport(file), options);
    });
  program
    .command('import')
    .description('read such a file into an empty database; needs the same TOLLGATE_SECRET to be of use')
    .argument('<file>', 'as `tollgate export` wrote it')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… npx tollgate import tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => {
      const { runImport } = await import('./copy.ts');
      show(await runImport(file), options);
    });
}
