// A form that an authenticator answers, hidden until the page's script says that the browser can (browser/passkey.ts).
// A page with it names the script `passkey` and sets `ctx.state.cspScript`.
import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../http/form.ts';
import { Notice } from './notice.tsx';

export type PasskeyFormProps = {
  purpose: 'get' | 'create';
  action: string;
  token: string;
  /** As the browser's parse…OptionsFromJSON takes them. */
  options: object;
  ticket: string;
  kind?: 'primary' | 'secondary';
  label: string;
  /** Said when the person closed the dialogue, or there was nothing to choose. */
  problem: string;
  /** Further fields and buttons of the same form. */
  children?: ComponentChildren;
};

export function PasskeyForm(props: PasskeyFormProps) {
  const { purpose, action, token, options, ticket, kind = 'secondary', label, problem, children } = props;
  return (
    <form
      class="stack-tight"
      method="post"
      action={action}
      data-passkey={purpose}
      data-options={JSON.stringify(options)}
      aria-label={label}
      hidden
    >
      <input type="hidden" name={CSRF_FIELD} value={token} />
      <input type="hidden" name="ticket" value={ticket} />
      <input type="hidden" name="response" value="" />
      <div data-passkey-problem hidden>
        <Notice kind="information">{problem}</Notice>
      </div>
      {children}
      <button type="submit" class={`button button-${kind}`} data-passkey-button>
        <Key />
        {label}
      </button>
    </form>
  );
}

function Key() {
  return (
    <svg class="social-mark" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M12.5 7.5a3.75 3.75 0 1 1-3.2-3.7 3.75 3.75 0 0 1 3.2 3.7Zm-.6 1.9 5.6 5.6v2h-2.5v-1.75h-1.75V13.5h-1.6l-1.4-1.4"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
