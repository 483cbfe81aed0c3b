// `tollgate export` and `tollgate import`: the whole of a service's data as one file (from the embedded database to
// PostgreSQL, say), and what is known of a person, to hand over or to delete.
import type { Command } from 'commander';
import type { Answer } from '../operator/operation.ts';

type Show = (answer: Answer, options: { json?: true }) => void;

export function addDataCommands(program: Command, show: Show): void {
  program
    .command('export')
    .description('export everything to a file (stop the embedded service first); protect it like the secret')
    .argument('<file>', 'must not exist yet')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ npx tollgate export tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => {
      const { runExport } = await import('./copy.ts');
      show(await runExport(file), options);
    });
  program
    .command('import')
    .description('import an export into an empty database; requires the same TOLLGATE_SECRET')
    .argument('<file>', 'as `tollgate export` wrote it')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… npx tollgate import tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => {
      const { runImport } = await import('./copy.ts');
      show(await runImport(file), options);
    });
}
