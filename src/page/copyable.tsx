// A value that people take elsewhere: selected by one click, and copied by a button where scripts run
// (src/page/browser/copy.ts shows it).

export type CopyableProps = { label: string; value: string; multiline?: boolean };

export function Copyable({ label, value, multiline }: CopyableProps) {
  return (
    <div class="copyable">
      <div class="copyable-head">
        <span class="label">{label}</span>
        <button type="button" class="button button-quiet copy" data-copy={`Copy ${label}`} hidden>
          Copy
        </button>
      </div>
      {multiline ? (
        <pre class="copyable-value" data-copy-value {...focusable}>
          {value}
        </pre>
      ) : (
        <code class="copyable-value" data-copy-value>
          {value}
        </code>
      )}
    </div>
  );
}

/** Long lines scroll, also for whoever has only a keyboard. */
const focusable = { tabIndex: 0 };
