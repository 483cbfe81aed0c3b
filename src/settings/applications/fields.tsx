// The fields of an application that its making and its appearance both ask for.
import { applicationNameCharacters } from '../../limits/applications.ts';
import { logoBytes } from '../../limits/pages.ts';
import { TextField } from '../../page/field.tsx';
import { PictureField } from '../../page/file-field.tsx';

export function NameField({ value, problem }: { value: string | undefined; problem: string | undefined }) {
  return (
    <TextField
      name="name"
      label="Service name"
      hint="Customers see it on the sign-in page and in every email."
      autocomplete="off"
      maximum={applicationNameCharacters}
      value={value}
      problem={problem}
      required
    />
  );
}

export function LogoField({
  name = 'logo',
  label = 'Logo',
  current,
  problem,
}: {
  name?: string;
  label?: string;
  /** Path of what is there now. */
  current?: string | undefined;
  problem: string | undefined;
}) {
  return (
    <PictureField
      name={name}
      label={label}
      note="optional"
      hint="PNG, JPEG or WebP, up to 512 KiB and 2048 × 2048 pixels. A square logo looks best."
      accept="image/png,image/jpeg,image/webp"
      mostBytes={logoBytes}
      refusal="That file can’t be used. Choose a PNG, JPEG or WebP of up to 512 KiB."
      current={current}
      problem={problem}
    />
  );
}
