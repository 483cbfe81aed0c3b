// `tollgate api`: the APIs of a company, which access tokens can be for.
import type { Command } from 'commander';
import { asks, collect, needs, within } from './ask.ts';

const SCOPE = 'a scope and what people read about it: "orders:read=See your orders"; repeatable';

export function addApis(api: Command): void {
  const create = within(
    asks(
      api.command('create'),
      'api create',
      'npx tollgate api create --identifier https://api.shop.example --name Orders --scope "orders:read=See your orders"',
    ),
  ).description('register an API, so that applications can get access tokens for it');
  needs(create, '--identifier <url>', 'what applications send as resource, and the audience of every token');
  needs(create, '--name <name>', 'what people read on the consent page');
  needs(create, '--scope <scope>', SCOPE, collect);
  describe(create);
  within(asks(api.command('list'), 'api list', 'npx tollgate api list')).description(
    'list APIs with their scopes and applications',
  );
  describe(
    one(api, 'update', 'change an API; what is not named stays')
      .option('--name <name>', 'what people read on the consent page')
      .option('--scope <scope>', `${SCOPE}; in place of all earlier ones`, collect),
  );
  one(api, 'delete', 'delete an API; no application gets a token for it any more');
}

function describe(command: Command): Command {
  return command
    .option('--format <format>', 'jwt: the API verifies by itself; opaque: it asks us')
    .option('--seconds <seconds>', 'life of a token: 300, 600, 1800 or 3600')
    .option('--application <id>', 'an application that may ask for tokens; repeatable', collect)
    .option('--introspect <id>', 'an application that may introspect its tokens; repeatable', collect);
}

function one(api: Command, verb: string, effect: string): Command {
  const command = asks(api.command(verb), `api ${verb}`, `npx tollgate api ${verb} res_0192…`);
  return within(command).description(effect).argument('<id>', 'id of the API');
}
