// Registration: address, name and, if wanted, a password. Nothing of it becomes an account before the
// code from the mail is typed; for an address that has one already the page and the mail are the same (threat 30).
import type { Context } from 'koa';
import { parsePersonName } from '../src/accounts/account.ts';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { type PasswordProblem, passwordProblem } from '../src/accounts/password.ts';
import { findFlowOf } from '../src/accounts/sign-in-flow.ts';
import type { FormFields } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { passwordMinimumCharacters } from '../src/limits/credentials.ts';
import { personNameCharacters } from '../src/limits/requests.ts';
import { Button, Divider, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField, TextField } from '../src/page/field.tsx';
import { PasswordField } from '../src/page/password-field.tsx';
import type { Problem } from './flash.ts';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { sendCode } from './send-code.ts';
import { offeredProviders, SocialButtons } from './social-buttons.tsx';
import { passwordTexts } from './texts/password.ts';
import { type Dependencies, placeOf, type Visit } from './visit.ts';

export function createRegister(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const { flash, interaction } = visit;
      const typed = {
        email: flash.email ?? flow?.email ?? interaction.loginHint,
        name: flash.name ?? flow?.name ?? undefined,
      };
      const providers = offeredProviders(deps, visit);
      ctx.state.cspScript = true;
      ctx.body = renderPage(<RegisterPage visit={visit} typed={typed} providers={providers} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      await deps.rateLimiter.consume('registrations', ipAddressKey(ctx.state.ipAddress));
      const email = parseEmailAddress(fields.email);
      const name = parsePersonName(fields.name);
      const password = fields.password ?? '';
      const problems = await problemsWith({ email, name, password, typedName: fields.name ?? '' });
      if (!email || !name || problems.length > 0)
        return redirectTo(ctx, deps, visit, 'register', { problems, ...shown(fields) });
      // Before any look-up, and for every address alike: a hash takes longer than all the rest.
      const passwordHash = password ? await deps.passwords.hash(password) : undefined;
      await sendCode(deps, ctx, visit, { kind: 'register', email, name, passwordHash });
    },
  };
}

/** What a person typed goes back into the fields, cut to what a cookie holds. */
function shown(fields: FormFields): { email: string; name: string } {
  return { email: fields.email ?? '', name: (fields.name ?? '').slice(0, personNameCharacters) };
}

type Typed = { email: string | undefined; name: string | undefined; password: string; typedName: string };

/** All of them, so that nobody corrects one field only to hear of the next. */
async function problemsWith({ email, name, password, typedName }: Typed): Promise<Problem[]> {
  const context = [email, name].filter((word) => word !== undefined);
  const found = password ? await passwordProblem(password, context) : undefined;
  const problems = [
    email ? undefined : ('invalidEmail' as const),
    name ? undefined : nameProblem(typedName),
    found && passwordProblemTexts[found],
  ];
  return problems.filter((problem) => problem !== undefined);
}

export function nameProblem(typed: string): Problem {
  return [...typed.trim()].length > personNameCharacters ? 'longName' : 'missingName';
}

export const passwordProblemTexts: Record<PasswordProblem, Problem> = {
  too_short: 'passwordTooShort',
  too_long: 'passwordTooLong',
  too_common: 'passwordTooCommon',
  too_guessable: 'passwordTooGuessable',
};

function RegisterPage({
  visit,
  typed,
  providers,
}: {
  visit: Visit;
  providers: Dependencies['social'];
  typed: { email: string | undefined; name: string | undefined };
}) {
  const { texts, flash } = visit;
  const about = (subjects: Problem[]) => {
    const problem = flash.problems?.find((each) => subjects.includes(each));
    return problem && texts.problems[problem];
  };
  const wrongEmail = about(['invalidEmail']);
  const wrongName = about(['missingName', 'longName']);
  const wrongPassword = about(Object.values(passwordProblemTexts));
  return (
    <Frame
      visit={visit}
      heading={texts.register.heading}
      scripts={['password']}
      lead={texts.register.lead(visit.application.name)}
      foot={
        <p>
          {texts.register.haveAccount}{' '}
          <a class="button button-quiet" href={visit.path('sign-in')}>
            {texts.register.signIn}
          </a>
        </p>
      }
    >
      <Form action={visit.path('register')} token={visit.token('register')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          value={typed.email}
          problem={wrongEmail}
          required
          focused={Boolean(wrongEmail) || (!wrongName && !wrongPassword)}
        />
        <TextField
          name="name"
          label={texts.shared.name}
          autocomplete="name"
          maximum={personNameCharacters}
          value={typed.name}
          problem={wrongName}
          required
          focused={Boolean(wrongName) && !wrongEmail}
        />
        <PasswordField
          name="password"
          label={texts.shared.password}
          note={texts.shared.optional}
          autocomplete="new-password"
          minimum={passwordMinimumCharacters}
          words={passwordTexts[visit.language]}
          problem={wrongPassword}
          focused={Boolean(wrongPassword) && !wrongEmail && !wrongName}
          hint={`${texts.register.passwordHint} ${texts.shared.passwordRules}`}
        />
        <Button>{texts.register.submit}</Button>
        {providers.length > 0 && (
          <>
            <Divider>{texts.shared.or}</Divider>
            <SocialButtons visit={visit} providers={providers} />
          </>
        )}
      </Form>
    </Frame>
  );
}
