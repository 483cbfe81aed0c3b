// Buttons and the form around them. A form always posts, and always carries its token (src/form.ts).
import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../form.ts';

export type ButtonProps = {
  kind?: 'primary' | 'secondary' | 'quiet' | 'soft';
  name?: string;
  value?: string;
  /** Id of the form that it belongs to, when it stands outside of it. */
  form?: string;
  /** Another answer than the form's main one: half-filled fields are no reason to refuse it. */
  skipsValidation?: boolean;
  children: ComponentChildren;
};

const classes = {
  primary: 'button button-primary',
  secondary: 'button button-secondary',
  quiet: 'button button-quiet',
  soft: 'button button-quiet button-soft',
};

export function Button({ kind = 'primary', name, value, form, skipsValidation, children }: ButtonProps) {
  return (
    <button
      type="submit"
      class={classes[kind]}
      {...(name ? { name, value } : {})}
      {...(form ? { form } : {})}
      {...(skipsValidation ? { formNoValidate: true } : {})}
    >
      {children}
    </button>
  );
}

export function ButtonLink({
  kind = 'secondary',
  href,
  children,
}: {
  kind?: ButtonProps['kind'];
  href: string;
  children: ComponentChildren;
}) {
  return (
    <a class={classes[kind]} href={href}>
      {children}
    </a>
  );
}

export type FormProps = {
  action: string;
  token: string;
  id?: string;
  /** Several forms on a page: what this one is for, to a screen reader. */
  label?: string;
  children: ComponentChildren;
};

export function Form({ action, token, id, label, children }: FormProps) {
  return (
    <form
      class="stack"
      method="post"
      action={action}
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
    >
      <input type="hidden" name={CSRF_FIELD} value={token} />
      {children}
    </form>
  );
}

export function Divider({ children }: { children: ComponentChildren }) {
  return <div class="divider">{children}</div>;
}
