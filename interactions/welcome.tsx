// After a right code for an address without an account, or a social provider that vouched for one without telling a
// name: the name, and the account exists.
import type { Context } from 'koa';
import { parsePersonName } from '../src/accounts/account.ts';
import { findProof, findProviderProof, type Proof } from '../src/accounts/proof.ts';
import { findFlowOf } from '../src/accounts/sign-in-flow.ts';
import type { FormFields } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { personNameCharacters } from '../src/limits/requests.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { TextField } from '../src/page/field.tsx';
import { finishWithNewAccount } from './finish.ts';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { nameProblem } from './register.tsx';
import { type Dependencies, placeOf, type Visit } from './visit.ts';

export function createWelcome(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const newcomer = await findNewcomer(deps, ctx, visit);
      if (!newcomer) return seeOther(ctx, visit.path('sign-in'));
      ctx.body = renderPage(<WelcomePage visit={visit} newcomer={newcomer} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      await deps.rateLimiter.consume('registrations', ipAddressKey(ctx.state.ipAddress));
      const newcomer = await findNewcomer(deps, ctx, visit);
      if (!newcomer) return seeOther(ctx, visit.path('sign-in'));
      const name = parsePersonName(fields.name);
      if (!name) {
        const typed = fields.name ?? '';
        const shown = typed.slice(0, personNameCharacters);
        redirectTo(ctx, deps, visit, 'welcome', { problem: nameProblem(typed), name: shown });
        return;
      }
      await finishWithNewAccount(deps, ctx, visit, newcomer.proof, { name, passwordHash: null });
    },
  };
}

/** `name`: what a provider calls them. */
type Newcomer = { proof: Proof; name: string | null | undefined };

/** Whose address is proven in this interaction, by a code or else by a provider's word, and who has no account yet. */
async function findNewcomer(deps: Dependencies, ctx: Context, visit: Visit): Promise<Newcomer | undefined> {
  const place = placeOf(deps, ctx, visit);
  const flow = await findFlowOf(deps.db, place);
  const word = await findProviderProof(deps.db, place);
  const code = flow?.proofId ? await findProof(deps.db, flow.proofId, place) : undefined;
  if (code?.isNewAccount)
    return { proof: code, name: flow?.linkProofId === word?.id ? word?.name : undefined };
  return word?.isNewAccount ? { proof: word, name: word.name } : undefined;
}

function WelcomePage({ visit, newcomer }: { visit: Visit; newcomer: Newcomer }) {
  const { texts, flash } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.newcomer.heading}
      lead={
        <>
          {texts.newcomer.lead} <strong>{newcomer.proof.mailbox}</strong>
        </>
      }
    >
      <Form action={visit.path('welcome')} token={visit.token('welcome')}>
        <TextField
          name="name"
          label={texts.shared.name}
          autocomplete="name"
          maximum={personNameCharacters}
          value={flash.name ?? newcomer.name ?? undefined}
          problem={flash.problem && texts.problems[flash.problem]}
          required
          focused
        />
        <Button>{texts.newcomer.submit}</Button>
      </Form>
    </Frame>
  );
}
