// After a right code for an address without an account: the name, and the account exists.
import type { Context } from 'koa';
import { parsePersonName } from '../src/accounts/account.ts';
import { type Flow, findFlow } from '../src/accounts/flow.ts';
import type { FormFields } from '../src/form.ts';
import { personNameCharacters } from '../src/limits.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { TextField } from '../src/page/field.tsx';
import { networkAddressKey } from '../src/rate-limit.ts';
import { finishWithNewAccount } from './finish.ts';
import { Frame } from './frame.tsx';
import { nameProblem } from './register.tsx';
import { leaveFor } from './sign-in.tsx';
import { seeOther, type Tools, type Visit } from './visit.ts';

export function createWelcome(tools: Tools) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlow(tools.db, visit.interaction.uid);
      if (!flow?.verifiedAt) return seeOther(ctx, visit.path('sign-in'));
      ctx.body = renderPage(<WelcomePage visit={visit} flow={flow} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      await tools.rateLimiter.consume('registrations', networkAddressKey(ctx.state.clientAddress));
      const flow = await findFlow(tools.db, visit.interaction.uid);
      if (!flow?.verifiedAt) return seeOther(ctx, visit.path('sign-in'));
      const name = parsePersonName(fields.name);
      if (!name) {
        const typed = fields.name ?? '';
        const shown = typed.slice(0, personNameCharacters);
        leaveFor(ctx, tools, visit, 'welcome', { problem: nameProblem(typed), name: shown });
        return;
      }
      await finishWithNewAccount(tools, ctx, visit, { email: flow.email, name, passwordHash: null });
    },
  };
}

function WelcomePage({ visit, flow }: { visit: Visit; flow: Flow }) {
  const { texts, message } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.newcomer.heading}
      lead={
        <>
          {texts.newcomer.lead} <strong>{flow.email}</strong>
        </>
      }
    >
      <Form action={visit.path('welcome')} token={visit.token('welcome')}>
        <TextField
          name="name"
          label={texts.shared.name}
          autocomplete="name"
          maximum={personNameCharacters}
          value={message.name}
          problem={message.problem && texts.problems[message.problem]}
          required
          focused
        />
        <Button>{texts.newcomer.submit}</Button>
      </Form>
    </Frame>
  );
}
