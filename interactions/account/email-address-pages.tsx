// The two pages of a change of address: where to, and the code that came there.
import type { EmailChange } from '../../src/accounts/email-return.ts';
import { oneTimeCodeAttempts, oneTimeCodeDigits } from '../../src/limits/credentials.ts';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { CodeField, EmailField } from '../../src/page/field.tsx';
import { Notice } from '../../src/page/notice.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { catalogue, duration } from '../languages.ts';
import { AccountFrame, backTo, problemText } from './frame.tsx';
import { emailAddressTexts } from './texts/email-address.ts';
import { type AccountVisit, accountPath } from './visit.ts';

export const EMAIL_ADDRESS = '/address';
export const CODE = '/address/code';

export function EmailAddressPage({ visit }: { visit: AccountVisit }) {
  const texts = emailAddressTexts[visit.language];
  const { typed } = visit.flash;
  return (
    <AccountFrame visit={visit} section="profile" heading={texts.heading} below={backTo(visit, 'profile')}>
      <Panel heading={texts.change} lead={texts.lead}>
        <Form action={accountPath(EMAIL_ADDRESS)} token={visit.token(EMAIL_ADDRESS)}>
          <EmailField
            name="email"
            label={texts.field}
            value={typed?.email}
            problem={typed?.email === undefined ? undefined : problemText(visit)}
            required
            focused
          />
          <Button>{texts.submit}</Button>
        </Form>
      </Panel>
    </AccountFrame>
  );
}

export function CodePage({ visit, change, now }: { visit: AccountVisit; change: EmailChange; now: Date }) {
  const texts = emailAddressTexts[visit.language];
  const { code } = catalogue[visit.language];
  const left = oneTimeCodeAttempts - change.codeAttempts;
  const secondsLeft = (change.codeExpiresAt.getTime() - now.getTime()) / 1000;
  const isWrong = visit.flash.typed?.wrong !== undefined;
  return (
    <AccountFrame
      visit={visit}
      section="profile"
      heading={texts.codeHeading}
      below={backTo(visit, 'profile')}
    >
      {left <= 0 && <Notice kind="problem">{code.usedUp}</Notice>}
      <Panel heading={texts.change} lead={texts.codeLead(change.newEmail)}>
        {left > 0 && (
          <Form action={accountPath(CODE)} token={visit.token(CODE)}>
            <CodeField
              name="code"
              label={code.label}
              digits={oneTimeCodeDigits}
              problem={isWrong ? `${code.wrong} ${code.attemptsLeft(left)}` : undefined}
              hint={code.validFor(duration(visit.language, secondsLeft))}
              required
              focused
            />
            <Button>{texts.confirm}</Button>
          </Form>
        )}
        <p class="fine">{code.notArrived}</p>
        <div class="actions">
          <Form action={accountPath(EMAIL_ADDRESS)} token={visit.token(EMAIL_ADDRESS)} label={code.resend}>
            <input type="hidden" name="email" value={change.newEmail} />
            <Button kind="secondary">{code.resend}</Button>
          </Form>
          <ButtonLink kind="quiet" href={accountPath(EMAIL_ADDRESS)}>
            {code.otherAddress}
          </ButtonLink>
        </div>
      </Panel>
    </AccountFrame>
  );
}
