// What pages to read have around them, the documentation and the API reference: the way to all others (a side bar; on a
// phone a menu that opens without script), and the heading.
import type { ComponentChildren } from 'preact';
import { iconPath } from './assets.ts';
import { Document } from './document.tsx';
import type { ScriptName } from './scripts.ts';

export type ReadingFrameProps = {
  /** Of all its pages together: names the side bar and the phone's menu. */
  name: string;
  heading: string;
  lead?: ComponentChildren;
  navigation: ComponentChildren;
  /** What a search engine says of it, where it may be listed. */
  description?: string | undefined;
  /** More room, for what stands in two columns. */
  isWide?: boolean;
  scripts?: ScriptName[];
  children?: ComponentChildren;
};

export function ReadingFrame(props: ReadingFrameProps) {
  const { name, heading, lead, navigation, description, isWide = false, scripts = [], children } = props;
  return (
    <Document language="en" title={`${heading} · Tollgate`} description={description} scripts={scripts}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="settings">
        <aside class="side" aria-label={name}>
          <a class="product" href="/docs">
            <img src={iconPath} width="24" height="24" alt="" />
            Tollgate
          </a>
          {navigation}
        </aside>
        <header class="topbar">
          <details class="menu">
            <summary>{`Tollgate ${name.charAt(0).toLowerCase()}${name.slice(1)}`}</summary>
            <div class="menu-content">{navigation}</div>
          </details>
        </header>
        <main class={isWide ? 'content content-wide' : 'content'} id="content">
          <div class="content-head">
            <div class="content-words">
              <h1>{heading}</h1>
              {lead && <p class="lead">{lead}</p>}
            </div>
          </div>
          {children}
        </main>
      </div>
    </Document>
  );
}

export type SearchFieldProps = {
  /** Where the question goes, as `q`. */
  action: string;
  question: string;
  label: string;
  button: string;
  maxLength: number;
};

export function SearchField({ action, question, label, button, maxLength }: SearchFieldProps) {
  return (
    <search>
      <form class="docs-search" action={action}>
        <input
          class="input"
          type="search"
          name="q"
          value={question}
          maxLength={maxLength}
          placeholder={button}
          aria-label={label}
        />
        <button class="button button-secondary" type="submit">
          {button}
        </button>
      </form>
    </search>
  );
}
