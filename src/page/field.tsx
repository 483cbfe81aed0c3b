// Labelled inputs, one component per kind: each sets the type, keyboard and `autocomplete` value that browsers
// and password managers look for.
import type { ComponentChildren } from 'preact';

export type FieldProps = {
  name: string;
  label: string;
  /** Beside the label, for example "optional". */
  note?: string | undefined;
  /** Below the field: what is expected. */
  hint?: ComponentChildren;
  /** Below the field: what was wrong with the last answer. */
  problem?: string | undefined;
  value?: string | undefined;
  required?: boolean;
  /** The first thing to fill in on the page. */
  focused?: boolean;
};

export function EmailField(props: FieldProps & { autocomplete?: 'email' | 'username' }) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        type="email"
        inputMode="email"
        autocomplete={props.autocomplete ?? 'email'}
        autoCapitalize="none"
        spellcheck={false}
        maxLength={254}
      />
    </Labelled>
  );
}

export function TextField(props: FieldProps & { autocomplete: 'name' | 'off'; maximum: number }) {
  return (
    <Labelled {...props}>
      <input {...attributes(props)} type="text" autocomplete={props.autocomplete} maxLength={props.maximum} />
    </Labelled>
  );
}

export function PasswordField(
  props: FieldProps & { autocomplete: 'current-password' | 'new-password'; minimum?: number },
) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        type="password"
        autocomplete={props.autocomplete}
        autoCapitalize="none"
        spellcheck={false}
        minLength={props.minimum}
      />
    </Labelled>
  );
}

/** One field, not six: it can be pasted into, filled by the phone and read out. Spaces are the server's to drop. */
export function CodeField(props: FieldProps & { digits: number }) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        class="input input-code"
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={props.digits * 4}
      />
    </Labelled>
  );
}

/** For password managers: the account that a password on this page belongs to. */
export function UsernameField(props: FieldProps) {
  return (
    <Labelled {...props}>
      <input {...attributes(props)} type="email" autocomplete="username" readOnly />
    </Labelled>
  );
}

function Labelled({
  name,
  label,
  note,
  hint,
  problem,
  children,
}: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label class="label" for={name}>
        <span>{label}</span>
        {note && <span class="label-note">{note}</span>}
      </label>
      {children}
      {problem && (
        <p class="field-problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="fine" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function attributes({ name, value, required, focused, hint, problem }: FieldProps) {
  const describedBy = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return {
    class: 'input',
    id: name,
    name,
    ...(value ? { value } : {}),
    ...(required ? { required: true } : {}),
    ...(focused ? { autofocus: true } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(problem ? { 'aria-invalid': true } : {}),
  };
}
