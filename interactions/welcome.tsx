// After a right code for an address without an account, or a social provider that vouched for one without telling a
// name: the name, and the account exists.
import type { Context } from 'koa';
import { findAccountByEmail, parsePersonName } from '../src/accounts/account.ts';
import { findFlow } from '../src/accounts/flow.ts';
import { findWaiting } from '../src/accounts/social-trip.ts';
import type { FormFields } from '../src/form.ts';
import { personNameCharacters } from '../src/limits.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { TextField } from '../src/page/field.tsx';
import { networkAddressKey } from '../src/rate-limit.ts';
import { finishWithNewAccount } from './finish.ts';
import { Frame } from './frame.tsx';
import { leaveFor } from './leave.ts';
import { nameProblem } from './register.tsx';
import { seeOther, type Tools, type Visit } from './visit.ts';

export function createWelcome(tools: Tools) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const newcomer = await findNewcomer(tools, visit);
      if (!newcomer) return seeOther(ctx, visit.path('sign-in'));
      ctx.body = renderPage(<WelcomePage visit={visit} newcomer={newcomer} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      await tools.rateLimiter.consume('registrations', networkAddressKey(ctx.state.clientAddress));
      const newcomer = await findNewcomer(tools, visit);
      if (!newcomer) return seeOther(ctx, visit.path('sign-in'));
      const name = parsePersonName(fields.name);
      if (!name) {
        const typed = fields.name ?? '';
        const shown = typed.slice(0, personNameCharacters);
        leaveFor(ctx, tools, visit, 'welcome', { problem: nameProblem(typed), name: shown });
        return;
      }
      const { email, amr } = newcomer;
      await finishWithNewAccount(tools, ctx, visit, { email, name, passwordHash: null }, amr);
    },
  };
}

type Newcomer = { email: string; amr: 'otp' | 'fed'; name: string | undefined };

/** Whose address is proven in this interaction: by a code, or else by a provider's word. */
async function findNewcomer(tools: Tools, { interaction: { uid } }: Visit): Promise<Newcomer | undefined> {
  const flow = await findFlow(tools.db, uid);
  const waiting = await findWaiting(tools.db, uid);
  const name = waiting?.name;
  if (flow?.verifiedAt) return { email: flow.email, amr: 'otp', name };
  if (!waiting?.emailVerified || !waiting.email) return undefined;
  // An account that exists is opened by a proof of its own only.
  if (await findAccountByEmail(tools.db, waiting.email)) return undefined;
  return { email: waiting.email, amr: 'fed', name };
}

function WelcomePage({ visit, newcomer }: { visit: Visit; newcomer: Newcomer }) {
  const { texts, message } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.newcomer.heading}
      lead={
        <>
          {texts.newcomer.lead} <strong>{newcomer.email}</strong>
        </>
      }
    >
      <Form action={visit.path('welcome')} token={visit.token('welcome')}>
        <TextField
          name="name"
          label={texts.shared.name}
          autocomplete="name"
          maximum={personNameCharacters}
          value={message.name ?? newcomer.name}
          problem={message.problem && texts.problems[message.problem]}
          required
          focused
        />
        <Button>{texts.newcomer.submit}</Button>
      </Form>
    </Frame>
  );
}
