// JSON laid out to be read, with its names, texts and other values in colours of their own. What is no JSON is shown as
// it is.
import type { ComponentChildren } from 'preact';

export function Json({ text }: { text: string }) {
  return (
    <pre class="copyable-value json" {...focusable}>
      {coloured(pretty(text))}
    </pre>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A string with the colon after it, a string, or a number or word. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function coloured(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon = ''] = match;
    parts.push(
      text.slice(end, match.index),
      <span class={`json-${kindOf(quoted, colon)}`}>{quoted ?? token}</span>,
      colon,
    );
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

function kindOf(quoted: string | undefined, colon: string): 'name' | 'text' | 'value' {
  if (colon) return 'name';
  return quoted ? 'text' : 'value';
}

/** Long lines scroll, also for whoever has only a keyboard. */
const focusable = { tabIndex: 0 };
