// The fields of an application that its making and its appearance both ask for.
import { applicationNameCharacters } from '../../limits/protocol.ts';
import { FileField, TextField } from '../../page/field.tsx';

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
  problem,
}: {
  name?: string;
  label?: string;
  problem: string | undefined;
}) {
  return (
    <FileField
      name={name}
      label={label}
      note="optional"
      hint="PNG, JPEG or WebP, up to 512 KiB and 2048 × 2048 pixels. A square logo looks best."
      accept="image/png,image/jpeg,image/webp"
      problem={problem}
    />
  );
}
