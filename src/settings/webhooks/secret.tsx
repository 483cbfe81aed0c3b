// A new signing secret for a webhook subscription: shown once, and taking over after a time in which both
// sign, so that no receiver has to be changed at one moment with us.
import type { Context } from 'koa';
import { webhookSecretOverlapOffers } from '../../limits/webhooks.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { readableTime } from '../../page/time.tsx';
import { rotateSecret } from '../../webhooks/signing-secret.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { endpointHost, endpointName, subscriptionOf, subscriptionRest } from './visit.ts';

const PATH = '/webhooks/:subscription/secret';

export function createWebhookSecretRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    ctx.body = renderPage(<SecretPage visit={visit} subscription={subscription} now={deps.clock()} />);
  };
  const rotate = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    const offer = webhookSecretOverlapOffers.find((each) => String(each) === request.fields.overlap);
    if (offer === undefined) {
      ctx.status = 400;
      return ask(ctx, visit, request);
    }
    const which = { workspaceId: visit.workspace.id, subscriptionId: subscription.id };
    const { secret, takesOverAt } = await audited(deps, visit, {
      action: 'webhook.secret_rotated',
      target: subscription.id,
      detail: { url: subscription.url, overlapSeconds: offer },
      make: (tx, now) => rotateSecret(tx, { ...deps, ...which, overlapSeconds: offer, now }),
    });
    redirectTo(ctx, deps, visit, subscriptionRest(subscription), {
      notice:
        offer === 0
          ? 'All webhooks are now signed with the new secret.'
          : `The new secret takes over on ${readableTime(takesOverAt)}. Until then both sign.`,
      secrets: [{ label: 'Signing secret', value: secret }],
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: rotate },
  ];
}

type SecretPageProps = { visit: MemberVisit; subscription: Subscription; now: Date };

function SecretPage({ visit, subscription, now }: SecretPageProps) {
  const rest = subscriptionRest(subscription, '/secret');
  const { nextSecretAt } = subscription;
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading="Rotate the signing secret"
      lead={endpointName(subscription)}
      crumbs={[
        { label: 'Webhooks', path: visit.path('/webhooks') },
        { label: endpointHost(subscription), path: visit.path(subscriptionRest(subscription)) },
      ]}
    >
      <section class="panel">
        <h2>How to rotate without downtime</h2>
        <ol class="points">
          <li>Rotate. The new secret is shown once, on the next page.</li>
          <li>
            Until it takes over, <code>x-service-webhook-signature</code> is still made with the old secret,
            and a second header, <code>x-service-webhook-signature-next</code>, with the new one.
          </li>
          <li>
            Meanwhile, give your receiver the new secret and let it accept either signature. A receiver that
            only checks the first header is not affected.
          </li>
          <li>
            After that, the new secret signs the first header and the second header is gone. You can then
            delete the old secret.
          </li>
        </ol>
        {nextSecretAt && nextSecretAt > now && (
          <p>
            A rotation is in progress until {readableTime(nextSecretAt)}. Rotating again replaces the upcoming
            secret. The current secret stays in use until the new time.
          </p>
        )}
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <SelectField
            name="overlap"
            label="The new secret takes over"
            value={String(webhookSecretOverlapOffers[0])}
            options={webhookSecretOverlapOffers.map((each) => ({
              value: String(each),
              label:
                each === 0
                  ? 'Immediately: the old one leaked'
                  : `In ${each / 3600} hour${each > 3600 ? 's' : ''}`,
            }))}
          />
          <FormActions cancel={visit.path(subscriptionRest(subscription))}>Rotate secret</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
