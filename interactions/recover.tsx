// Password recovery: address, code, new password. Then every session and token of the account ends, a notice goes out, and
// nobody is signed in before they say so: what was typed proves the new password, and one more button uses that (threats 37, 39).
import type { Context } from 'koa';
import { findAccount, setPassword } from '../src/accounts/account.ts';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { listPasskeys } from '../src/accounts/passkey.ts';
import { passwordProblem } from '../src/accounts/password.ts';
import {
  findNewPassword,
  openAccount,
  opensFor,
  type Proof,
  readProofTime,
  recordProof,
  useProof,
} from '../src/accounts/proof.ts';
import { dropProof, findFlowOf } from '../src/accounts/sign-in-flow.ts';
import { listSocialIdentities } from '../src/accounts/social-identity.ts';
import { type Database, transaction } from '../src/database/connection.ts';
import type { FormFields } from '../src/http/form.ts';
import { seeOther } from '../src/http/redirect.ts';
import { passwordMinimumCharacters } from '../src/limits/credentials.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField, UsernameField } from '../src/page/field.tsx';
import { PasswordField } from '../src/page/password-field.tsx';
import { claim, signIn } from './finish.ts';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { passwordChangedMail } from './mail-texts.ts';
import { passwordProblemTexts } from './register.tsx';
import { sendCode } from './send-code.ts';
import { passwordTexts } from './texts/password.ts';
import { recoveredTexts } from './texts/recovered.ts';
import { proofOf } from './verify-code.tsx';
import { type Dependencies, placeOf, type Visit } from './visit.ts';

export function createRecover(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const email = visit.flash.email ?? flow?.email ?? visit.interaction.loginHint;
      ctx.body = renderPage(<RecoverPage visit={visit} email={email} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const typed = fields.email ?? '';
      const email = parseEmailAddress(typed);
      if (!email) return redirectTo(ctx, deps, visit, 'recover', { problem: 'invalidEmail', email: typed });
      await sendCode(deps, ctx, visit, { kind: 'recover', email });
    },

    async showNewPassword(ctx: Context, visit: Visit): Promise<void> {
      const proof = await findRecovery(deps, ctx, visit);
      if (!proof) return seeOther(ctx, visit.path('recovered'));
      ctx.state.cspScript = true;
      ctx.body = renderPage(<NewPasswordPage visit={visit} email={proof.mailbox} />);
    },

    async submitNewPassword(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const password = fields.password ?? '';
      const proof = await findRecovery(deps, ctx, visit);
      if (!proof) return goOnWithoutRecovery(deps, ctx, visit, password);
      const found = await passwordProblem(password, [proof.mailbox]);
      if (found)
        return redirectTo(ctx, deps, visit, 'new-password', { problem: passwordProblemTexts[found] });
      const typed = {
        provenAt: await readProofTime(deps.db, deps.clock),
        passwordHash: await deps.passwords.hash(password),
      };
      if (!(await changePassword(deps, ctx, visit, { recovery: proof, typed }))) {
        await dropProof(deps.db, visit.interaction.uid);
        return goOnWithoutRecovery(deps, ctx, visit, password);
      }
      seeOther(ctx, visit.path('recovered'));
    },

    async showRecovered(ctx: Context, visit: Visit): Promise<void> {
      const proof = await findNewPassword(deps.db, placeOf(deps, ctx, visit));
      if (!proof) return seeOther(ctx, visit.path('recover'));
      ctx.body = renderPage(<RecoveredPage visit={visit} />);
    },

    async goOn(ctx: Context, visit: Visit): Promise<void> {
      const proof = await findNewPassword(deps.db, placeOf(deps, ctx, visit));
      if (!proof) return seeOther(ctx, visit.path('recover'));
      await signIn(deps, ctx, visit, proof);
    },
  };
}

type Recovery = Proof & { mailbox: string };

/** What this browser has proven for a new password, and for nothing else. */
async function findRecovery(deps: Dependencies, ctx: Context, visit: Visit): Promise<Recovery | undefined> {
  const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
  const proof = await proofOf(deps, ctx, visit, flow);
  if (proof?.purpose !== 'recovery' || proof.isNewAccount || !proof.mailbox) return undefined;
  return { ...proof, mailbox: proof.mailbox };
}

/** A second click on the button is no reason to begin again; another password than the one that was set is. */
async function goOnWithoutRecovery(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  password: string,
): Promise<void> {
  const proof = await findNewPassword(deps.db, placeOf(deps, ctx, visit));
  const account = proof?.accountId ? await findAccount(deps.db, proof.accountId) : undefined;
  const isTheSame = account !== undefined && (await deps.passwords.verify(account.passwordHash, password));
  seeOther(ctx, visit.path(isTheSame ? 'recovered' : 'recover'));
}

/** `typed`: with the time that was read before it was looked at. */
type NewPassword = { recovery: Recovery; typed: { passwordHash: string; provenAt: Date } };

/** All of it or nothing; @returns false when this proof was used before, or no longer opens the account. */
async function changePassword(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  { recovery: proof, typed: { passwordHash, provenAt } }: NewPassword,
): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock();
    const account = await openAccount(tx, { proofId: proof.id, clock: deps.clock });
    if (!account || !(await useProof(tx, { proofId: proof.id, use: 'recover', now }))) return false;
    const accountId = account.id;
    await claim(deps, tx, visit, { account, proof });
    await setPassword(tx, { accountId, passwordHash, now });
    await deps.revokeAccount(tx, { accountId, proofId: proof.id, endsCodes: true, now });
    const remaining = await remainingWaysIn(deps, tx, accountId);
    await deps.mailer.queue(tx, passwordChangedMail(visit, account.email, remaining));
    // Whoever set it has just typed it. The recovery's own proof is good for a new password and for nothing else.
    const raised = await findAccount(tx, accountId);
    const place = placeOf(deps, ctx, visit);
    const opens = opensFor(raised);
    await recordProof(tx, { place, purpose: 'sign_in', method: 'password', opens, provenAt });
    return true;
  });
}

/** Whoever was in the account before may have left one of these: the mail names them. */
async function remainingWaysIn(deps: Dependencies, tx: Database, accountId: string): Promise<string[]> {
  const passkeys = await listPasskeys(tx, accountId);
  const identities = await listSocialIdentities(tx, accountId);
  const nameOf = (id: string) => deps.social.find((provider) => provider.id === id)?.name ?? id;
  return [...passkeys.map(({ name }) => name), ...identities.map(({ provider }) => nameOf(provider))];
}

function RecoverPage({ visit, email }: { visit: Visit; email: string | undefined }) {
  const { texts, flash } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.recover.heading}
      lead={texts.recover.lead}
      foot={
        <a class="button button-quiet" href={visit.path('sign-in')}>
          {texts.recover.backToSignIn}
        </a>
      }
    >
      <Form action={visit.path('recover')} token={visit.token('recover')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          autocomplete="username"
          value={email}
          problem={flash.problem && texts.problems[flash.problem]}
          required
          focused
        />
        <Button>{texts.recover.submit}</Button>
      </Form>
    </Frame>
  );
}

function NewPasswordPage({ visit, email }: { visit: Visit; email: string }) {
  const { texts, flash } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.newPassword.heading}
      lead={texts.newPassword.lead}
      scripts={['password']}
    >
      <Form action={visit.path('new-password')} token={visit.token('new-password')}>
        <UsernameField name="account" label={texts.newPassword.account} value={email} />
        <PasswordField
          name="password"
          label={texts.shared.newPassword}
          autocomplete="new-password"
          minimum={passwordMinimumCharacters}
          words={passwordTexts[visit.language]}
          problem={flash.problem && texts.problems[flash.problem]}
          hint={texts.shared.passwordRules}
          required
          focused
        />
        <Button>{texts.newPassword.submit}</Button>
      </Form>
    </Frame>
  );
}

function RecoveredPage({ visit }: { visit: Visit }) {
  const texts = recoveredTexts[visit.language];
  return (
    <Frame visit={visit} heading={texts.heading} lead={texts.lead}>
      <Form action={visit.path('recovered')} token={visit.token('recovered')}>
        <Button>{texts.goOn(visit.application.name)}</Button>
      </Form>
    </Frame>
  );
}
