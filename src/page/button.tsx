// Buttons and the form around them. A form always posts, and always carries its token (src/http/form.ts).
import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/form.ts';

export type ButtonProps = {
  kind?: 'primary' | 'secondary' | 'quiet' | 'soft' | 'danger' | 'final';
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
  /** Leads to something that cannot be taken back. */
  danger: 'button button-danger',
  /** Does it. */
  final: 'button button-final',
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
  /** It has a file field. */
  upload?: boolean;
  /** Answered by a file: the page stays, and so must its button. */
  downloads?: boolean;
  children: ComponentChildren;
};

export function Form({ action, token, id, label, upload, downloads, children }: FormProps) {
  return (
    <form
      class="stack"
      method="post"
      action={action}
      {...(upload ? { encType: 'multipart/form-data' } : {})}
      {...(downloads ? { 'data-downloads': '' } : {})}
      {...(id ? { id } : {})}
      {...(label ? { 'aria-label': label } : {})}
    >
      <input type="hidden" name={CSRF_FIELD} value={token} />
      {children}
    </form>
  );
}

/** The end of a form on a page of its own: do it, or go back to where nothing has changed. */
export function FormActions({
  kind = 'primary',
  cancel,
  children,
}: Pick<ButtonProps, 'kind' | 'children'> & { cancel: string }) {
  return (
    <div class="actions">
      <Button kind={kind}>{children}</Button>
      <ButtonLink kind="quiet" href={cancel}>
        Cancel
      </ButtonLink>
    </div>
  );
}

/** Asks for the same page with other filters: nothing is changed, so it needs no token. */
export function FilterForm({ action, children }: { action: string; children: ComponentChildren }) {
  return (
    <form class="filter" method="get" action={action}>
      {children}
    </form>
  );
}

export function Divider({ children }: { children: ComponentChildren }) {
  return <div class="divider">{children}</div>;
}
