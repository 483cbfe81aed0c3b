// The form of an application's appearance: what customers see of the company on every hosted page and in every mail.
import type { Appearance } from '../../applications/appearance.ts';
import type { Application } from '../../applications/application.ts';
import { linkCharacters, senderNameCharacters } from '../../limits/applications.ts';
import { Button, Form } from '../../page/button.tsx';
import { CheckField, RadioFields } from '../../page/choice-field.tsx';
import { DEFAULT_ACCENT, readableAccent } from '../../page/colour.ts';
import { attributes, Labelled, TextField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { LogoField, NameField } from './fields.tsx';
import { applicationRest } from './frame.tsx';
import type { LookProblems } from './look-fields.ts';

export type AppearanceProblems = LookProblems & {
  name?: string | undefined;
  logo?: string | undefined;
  logo_dark?: string | undefined;
};

export type AppearanceFormProps = {
  visit: MemberVisit;
  application: Application;
  name: string;
  look: Appearance;
  /** What was typed, where it could not be read. */
  typed: Record<string, string | undefined>;
  problems: AppearanceProblems;
};

export function AppearanceForm({ visit, application, name, look, typed, problems }: AppearanceFormProps) {
  const rest = applicationRest(application, '/appearance');
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)} upload>
      <Panel heading="Name and logo">
        <NameField value={name} problem={problems.name} />
        <LogoField
          label={application.logo ? 'New logo' : 'Logo'}
          current={application.logo ? `/applications/${application.id}/logo` : undefined}
          problem={problems.logo}
        />
        <LogoField
          name="logo_dark"
          label={look.hasDarkLogo ? 'New logo for dark mode' : 'Logo for dark mode'}
          current={look.hasDarkLogo ? `/applications/${application.id}/logo-dark` : undefined}
          problem={problems.logo_dark}
        />
        {look.hasDarkLogo && <CheckField name="remove_logo_dark" label="Remove the logo for dark mode" />}
      </Panel>
      <Panel heading="Colours and shape">
        <AccentField look={look} problem={problems.accent} />
        <RadioFields
          name="background"
          legend="Background"
          value={look.background}
          options={[
            { value: 'plain', label: 'Plain', hint: 'Light grey, or nearly black in dark mode.' },
            { value: 'bright', label: 'Bright', hint: 'White behind the card as well.' },
            { value: 'tint', label: 'Tinted', hint: 'A touch of your accent colour.' },
            { value: 'gradient', label: 'Gradient', hint: 'From your accent colour to plain.' },
          ]}
        />
        <RadioFields
          name="corners"
          legend="Corners"
          value={look.corners}
          options={[
            { value: 'square', label: 'Square' },
            { value: 'soft', label: 'Soft' },
            { value: 'round', label: 'Round' },
          ]}
        />
      </Panel>
      <Panel
        heading="Links and mail"
        lead="Links stand below every hosted page and every mail of this application."
      >
        <LinkField
          name="terms"
          label="Terms of service"
          value={typed.terms ?? look.termsUrl}
          problem={problems.terms}
        />
        <LinkField
          name="privacy"
          label="Privacy policy"
          value={typed.privacy ?? look.privacyUrl}
          problem={problems.privacy}
        />
        <LinkField
          name="support"
          label="Support"
          hint="A page or an email address."
          value={typed.support ?? look.supportUrl?.replace(/^mailto:/, '')}
          problem={problems.support}
        />
        <TextField
          name="sender_name"
          label="Sender name"
          note="optional"
          hint="Mail comes from this name. The address stays ours, so that it arrives."
          autocomplete="off"
          maximum={senderNameCharacters}
          value={typed.sender_name ?? look.senderName ?? undefined}
          problem={problems.sender_name}
        />
      </Panel>
      <Button>Save</Button>
    </Form>
  );
}

function AccentField({ look: { accent }, problem }: { look: Appearance; problem: string | undefined }) {
  const used = readableAccent(accent);
  const isDarkened = accent !== null && used !== accent;
  const field = {
    name: 'accent',
    label: 'Accent colour',
    hint: isDarkened
      ? `White text could not be read on this colour, so buttons use ${used}.`
      : 'Buttons, links and the field you are in. Made darker or lighter where text could not be read.',
    problem,
    value: accent ?? DEFAULT_ACCENT,
  };
  return (
    <Labelled {...field}>
      <input {...attributes(field)} class="input input-colour" type="color" data-previewed />
    </Labelled>
  );
}

type LinkFieldProps = {
  name: string;
  label: string;
  hint?: string;
  value: string | null | undefined;
  problem: string | undefined;
};

function LinkField({ name, label, hint = 'Begins with https://', value, problem }: LinkFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      note="optional"
      hint={hint}
      autocomplete="off"
      maximum={linkCharacters}
      value={value ?? undefined}
      problem={problem}
    />
  );
}
