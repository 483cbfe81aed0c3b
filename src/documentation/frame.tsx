// What every page of /docs has around it: the chapters (a side bar; on a phone a menu that opens without script), the
// search, and the way to the API reference and company settings.
import type { ComponentChildren } from 'preact';
import { searchCharacters } from '../limits/documentation.ts';
import { iconPath } from '../page/assets.ts';
import { Document } from '../page/document.tsx';
import { chapters } from './contents.ts';

export type FrameProps = {
  heading: string;
  lead?: ComponentChildren;
  /** Of the page that is shown. */
  slug?: string;
  question?: string;
  apiBaseUrl: string;
  children?: ComponentChildren;
};

export function DocumentationFrame({ heading, lead, children, ...rest }: FrameProps) {
  return (
    <Document language="en" title={`${heading} · Tollgate`}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="settings">
        <aside class="side" aria-label="Documentation">
          <a class="product" href="/docs">
            <img src={iconPath} width="24" height="24" alt="" />
            Tollgate
          </a>
          <Navigation {...rest} />
        </aside>
        <header class="topbar">
          <details class="menu">
            <summary>Tollgate documentation</summary>
            <div class="menu-content">
              <Navigation {...rest} />
            </div>
          </details>
        </header>
        <main class="content" id="content">
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

type NavigationProps = Pick<FrameProps, 'slug' | 'question' | 'apiBaseUrl'>;

function Navigation({ slug = '', question = '', apiBaseUrl }: NavigationProps) {
  const isHere = (page: string) => slug === page || slug.startsWith(`${page}/`);
  return (
    <>
      <SearchForm question={question} />
      <nav aria-label="Chapters" class="chapters">
        {chapters.map(({ name, pages }) => (
          <section key={name}>
            <h2 class="chapter">{name}</h2>
            <ul class="nav-list">
              {pages.map((page) => (
                <li key={page.slug}>
                  <a
                    class="nav-link"
                    href={`/docs/${page.slug}`}
                    {...(isHere(page.slug) ? { 'aria-current': 'page' as const } : {})}
                  >
                    {page.label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <ul class="nav-list side-foot">
        <li>
          <a class="nav-link" href={`${apiBaseUrl}/docs`}>
            API reference
          </a>
        </li>
        <li>
          <a class="nav-link" href="/settings">
            Company settings
          </a>
        </li>
      </ul>
    </>
  );
}

export function SearchForm({ question }: { question: string }) {
  return (
    <search>
      <form class="docs-search" action="/docs/search">
        <input
          class="input"
          type="search"
          name="q"
          value={question}
          maxLength={searchCharacters}
          placeholder="Search"
          aria-label="Search the documentation"
        />
        <button class="button button-secondary" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}
