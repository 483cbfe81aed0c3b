// `tollgate workspace` and `tollgate api-key`: companies, and the keys that they read their customers with.
import type { Command } from 'commander';
import { asks, needs, within } from './ask.ts';

export function addWorkspaces(workspace: Command): void {
  const create = asks(
    workspace.command('create'),
    'workspace create',
    'npx tollgate workspace create --name "ACME"',
  ).description('create a company with its currency and prices');
  needs(create, '--name <name>', 'name of the company')
    .option('--currency <code>', 'ISO 4217 code; default CURRENCY')
    .option('--registration-price <amount>', 'price of a first session; default REGISTRATION_PRICE')
    .option('--sign-in-price <amount>', 'price of a later session; default SIGN_IN_PRICE');
  asks(workspace.command('list'), 'workspace list', 'npx tollgate workspace list').description(
    'list the companies, oldest first; the first is the default of --workspace',
  );
}

export function addApiKeys(apiKey: Command): void {
  const create = within(
    asks(apiKey.command('create'), 'api-key create', 'npx tollgate api-key create --name reporting'),
  ).description('create a key with scope identity:read; it is shown once');
  needs(create, '--name <name>', 'what it is for').option('--expires <time>', 'RFC 3339 time; default never');
  within(asks(apiKey.command('list'), 'api-key list', 'npx tollgate api-key list')).description(
    'list keys by their first characters',
  );
  within(
    asks(
      apiKey.command('rotate'),
      'api-key rotate',
      'npx tollgate api-key rotate key_0192… --overlap-seconds 3600',
    ),
  )
    .description('replace a key; the new one is shown once')
    .argument('<id>', 'id of the key')
    .option('--overlap-seconds <seconds>', 'how long the old one still works', '0');
  within(asks(apiKey.command('revoke'), 'api-key revoke', 'npx tollgate api-key revoke key_0192…'))
    .description('end a key at once')
    .argument('<id>', 'id of the key');
}
