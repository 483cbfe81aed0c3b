// What test mode means, on the page of an application that is in it: the way out of it, and the addresses outside the
// company that it may mail (docs/decisions/1101).
import { parseEmailAddress } from '../../accounts/email-address.ts';
import type { Application } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { customersInTestMode, testAddressesPerApplication } from '../../limits/applications.ts';
import { emailAddressCharacters } from '../../limits/credentials.ts';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { TextAreaField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { applicationPath, applicationRest } from './frame.tsx';

/** As typed, when it could not be saved. */
export type TypedTestAddresses = { text: string; problem: string };

/** @returns the addresses, one spelling each, or what is wrong with them. */
export function readTestAddresses(text: string): { emails: string[] } | { problem: string } {
  const typed = text.split(/[\s,;]+/).filter((email) => email !== '');
  const wrong = typed.filter((email) => parseEmailAddress(email) === undefined);
  if (wrong.length > 0) return { problem: `This is not an email address: ${(wrong[0] ?? '').slice(0, 100)}` };
  return { emails: typed.flatMap((email) => parseEmailAddress(email) ?? []) };
}

type TestModePanelProps = {
  visit: MemberVisit;
  application: Application;
  typed: TypedTestAddresses | undefined;
};

export function TestModePanel({ visit, application, typed }: TestModePanelProps) {
  const rest = applicationRest(application, '/test-addresses');
  const { role } = visit.member;
  return (
    <Panel
      heading="Test mode"
      lead={`Sign-ins work like live ones and cost nothing. For at most ${customersInTestMode} customers; emails go to members of this workspace and to the addresses below.`}
      actions={
        isAtLeast(role, 'owner') ? (
          <ButtonLink kind="primary" href={applicationPath(visit, application, '/go-live')}>
            Go live
          </ButtonLink>
        ) : undefined
      }
    >
      {!isAtLeast(role, 'owner') && <p class="fine">A workspace owner can take it live.</p>}
      {isAtLeast(role, 'developer') && (
        <Form action={visit.path(rest)} token={visit.token(rest)} label="Test addresses">
          <TextAreaField
            name="addresses"
            label="Test addresses"
            note="optional"
            hint={`One per line, at most ${testAddressesPerApplication}. Only list people who expect your emails.`}
            rows={3}
            value={typed?.text ?? application.testAddresses.join('\n')}
            problem={typed?.problem}
            maximum={(emailAddressCharacters + 2) * testAddressesPerApplication}
          />
          <Button kind="secondary">Save addresses</Button>
        </Form>
      )}
    </Panel>
  );
}
