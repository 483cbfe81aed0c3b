// `tollgate webhook`: subscriptions, their deliveries and what can be done about them.
import type { Command } from 'commander';
import { asks, collect, needs, within } from './ask.ts';

export function addWebhooks(webhook: Command): void {
  const create = within(
    asks(
      webhook.command('create'),
      'webhook create',
      'npx tollgate webhook create --url https://shop.example/webhooks',
    ),
  ).description('subscribe an HTTPS endpoint; its signing secret is shown once');
  needs(create, '--url <url>', 'where events are sent')
    .option('--application <id>', 'only events of this application; repeatable', collect)
    .option('--type <type>', 'only events of this type; repeatable', collect);
  within(asks(webhook.command('list'), 'webhook list', 'npx tollgate webhook list')).description(
    'list subscriptions and whether they are active',
  );
  within(
    asks(
      webhook.command('deliveries'),
      'webhook deliveries',
      'npx tollgate webhook deliveries --status failed',
    ),
  )
    .description('list the latest deliveries, newest first')
    .option('--status <status>', 'pending, delivered or failed');
  for (const [verb, effect] of [
    ['pause', 'stop sending to a subscription'],
    ['resume', 'send to a paused or disabled subscription again'],
    ['delete', 'delete a subscription with its log; events stay in the API'],
  ] as const) {
    within(asks(webhook.command(verb), `webhook ${verb}`, `npx tollgate webhook ${verb} whs_0192…`))
      .description(effect)
      .argument('<id>', 'id of the subscription');
  }
  within(asks(webhook.command('test'), 'webhook test', 'npx tollgate webhook test whs_0192…'))
    .description('send a signed test event of something that did not happen')
    .argument('<id>', 'id of the subscription')
    .option('--type <type>', 'type of event; default identity.registration.completed.v1')
    .option('--application <id>', 'whom it is about; default the oldest application');
  within(asks(webhook.command('rotate'), 'webhook rotate', 'npx tollgate webhook rotate whs_0192…'))
    .description('create a new signing secret, shown once; it takes over when the overlap ends')
    .argument('<id>', 'id of the subscription')
    .option('--overlap-seconds <seconds>', 'how long the old one still signs; default 86400, 0 after a leak');
  within(asks(webhook.command('replay'), 'webhook replay', 'npx tollgate webhook replay dlv_0192…'))
    .description('resend a delivery: same ID, same body, fresh signature')
    .argument('<id>', 'id of the delivery');
}
