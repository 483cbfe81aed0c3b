// A password: with a button that shows it, and for a new one a word about how it stands, both where scripts run
// (src/page/browser/password.ts). Without them it is a plain field; what is accepted is the server's decision alone.
import { attributes, type FieldProps, Labelled } from './field.tsx';

export type PasswordFieldProps = FieldProps & {
  autocomplete: 'current-password' | 'new-password';
  /** Length that a new one needs at least. */
  minimum?: number;
  words: { show: string; hide: string; short: string; guessable: string; good: string };
};

export function PasswordField(props: PasswordFieldProps) {
  const { autocomplete, minimum, words, name, id = name } = props;
  return (
    <Labelled {...props}>
      <div class="reveal">
        <input
          {...attributes(props)}
          type="password"
          autocomplete={autocomplete}
          autoCapitalize="none"
          spellcheck={false}
        />
        <button
          type="button"
          class="reveal-button"
          aria-label={words.show}
          aria-pressed="false"
          aria-controls={id}
          title={words.show}
          data-reveal={words.hide}
          hidden
        >
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path
              d="M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5Zm7.5 2.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5Z"
              fill="none"
              stroke="currentColor"
              stroke-width="1.5"
              stroke-linejoin="round"
            />
            <path
              class="reveal-line"
              d="M4 16.5 16 3.5"
              stroke="currentColor"
              stroke-width="1.5"
              stroke-linecap="round"
            />
          </svg>
        </button>
      </div>
      {minimum !== undefined && (
        <p
          class="strength"
          aria-live="polite"
          data-strength={minimum}
          data-short={words.short}
          data-guessable={words.guessable}
          data-good={words.good}
          hidden
        />
      )}
    </Labelled>
  );
}
