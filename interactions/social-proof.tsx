// Between a social provider and an account that exists or an address that nobody vouched for: what has to be proven,
// and why (threats 50, 51).
import type { Context } from 'koa';
import type { Proof } from '../src/accounts/proof.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField } from '../src/page/field.tsx';
import { Frame } from './frame.tsx';
import type { Visit } from './visit.ts';

/** `provider`: its name. */
export type SocialProof = { pending: Proof; provider: string };

export function showSocialProof(ctx: Context, visit: Visit, proof: SocialProof): void {
  ctx.body = renderPage(<SocialProofPage visit={visit} {...proof} />);
}

function SocialProofPage({ visit, pending, provider }: SocialProof & { visit: Visit }) {
  const { texts, flash } = visit;
  const { social } = texts;
  return (
    <Frame
      visit={visit}
      heading={social.proofHeading}
      lead={pending.isMailboxVerified ? social.proofKnown(provider) : social.proofUnknown(provider)}
      foot={
        <a class="button button-quiet" href={visit.path('sign-in')}>
          {social.otherWay}
        </a>
      }
    >
      <Form action={visit.path('social-proof')} token={visit.token('social-proof')}>
        {pending.isMailboxVerified ? (
          <p class="who">
            <strong>{pending.mailbox}</strong>
          </p>
        ) : (
          <EmailField
            name="email"
            label={texts.shared.email}
            autocomplete="username"
            value={flash.email ?? pending.mailbox ?? undefined}
            problem={flash.problem && texts.problems[flash.problem]}
            required
            focused
          />
        )}
        <Button>{social.sendCode}</Button>
      </Form>
    </Frame>
  );
}
