// Labelled inputs, one component per kind: each sets the type, keyboard and `autocomplete` value that browsers
// and password managers look for.
import type { ComponentChildren } from 'preact';

export type FieldProps = {
  name: string;
  /** Where several forms of a page have a field of this name. */
  id?: string;
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

export function EmailField(
  props: FieldProps & { autocomplete?: 'email' | 'username' | 'username webauthn' },
) {
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

/** Several lines, for example one address each. */
export function TextAreaField(props: FieldProps & { rows?: number; maximum?: number; code?: boolean }) {
  const { rows = 4, maximum, code, value } = props;
  return (
    <Labelled {...props}>
      <textarea
        {...attributes({ ...props, value: undefined })}
        class={code ? 'input input-area input-mono' : 'input input-area'}
        rows={rows}
        autocomplete="off"
        autoCapitalize="none"
        spellcheck={false}
        {...(maximum ? { maxLength: maximum } : {})}
      >
        {value}
      </textarea>
    </Labelled>
  );
}

export function UrlField(props: FieldProps & { maximum: number; placeholder?: string }) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        type="url"
        inputMode="url"
        autocomplete="off"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={props.maximum}
        {...(props.placeholder ? { placeholder: props.placeholder } : {})}
      />
    </Labelled>
  );
}

/** An amount or a count: a text field with the keyboard of digits, since browsers change what is typed into `number`. */
export function NumberField(props: FieldProps & { decimals?: boolean }) {
  return (
    <Labelled {...props}>
      <input
        {...attributes(props)}
        type="text"
        inputMode={props.decimals ? 'decimal' : 'numeric'}
        autocomplete="off"
        maxLength={20}
      />
    </Labelled>
  );
}

/** A day (`2026-11-21`), or with `time` a minute (`2026-11-21T16:05`); the label says that it is UTC. */
export function DateField(props: FieldProps & { time?: boolean }) {
  return (
    <Labelled {...props}>
      <input {...attributes(props)} type={props.time ? 'datetime-local' : 'date'} autocomplete="off" />
    </Labelled>
  );
}

export function Labelled({
  name,
  id = name,
  label,
  note,
  hint,
  problem,
  children,
}: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label class="label" for={id}>
        <span>{label}</span>
        {note && <span class="label-note">{note}</span>}
      </label>
      {children}
      <FieldWords id={id} problem={problem} hint={hint} />
    </div>
  );
}

/** Below a field: what was wrong with it, and what is expected; `attributes` points a screen reader at them. */
export function FieldWords({ id, problem, hint }: Pick<FieldProps, 'problem' | 'hint'> & { id: string }) {
  return (
    <>
      {problem && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="fine" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

export function attributes({ name, id = name, value, required, focused, hint, problem }: FieldProps) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return {
    class: 'input',
    id,
    name,
    ...(value ? { value } : {}),
    ...(required ? { required: true } : {}),
    ...(focused ? { autofocus: true } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(problem ? { 'aria-invalid': true } : {}),
  };
}
