// What every page of /docs has around it: the chapters, the search, and the way to the API reference and company settings.
import type { ComponentChildren } from 'preact';
import { searchCharacters } from '../limits/documentation.ts';
import { ReadingFrame, SearchField } from '../page/reading-frame.tsx';
import { chapters } from './contents.ts';

export type FrameProps = {
  heading: string;
  lead?: ComponentChildren;
  /** For search engines; a page that is one person's, or one question's, has none. */
  description?: string;
  /** Of the page that is shown. */
  slug?: string;
  question?: string;
  apiBaseUrl: string;
  /** Goes along to the other pages. */
  query?: string | undefined;
  children?: ComponentChildren;
};

export function DocumentationFrame({ heading, lead, description, children, ...rest }: FrameProps) {
  return (
    <ReadingFrame
      name="Documentation"
      heading={heading}
      lead={lead}
      description={description}
      navigation={<Navigation {...rest} />}
    >
      {children}
    </ReadingFrame>
  );
}

type NavigationProps = Pick<FrameProps, 'slug' | 'question' | 'apiBaseUrl' | 'query'>;

function Navigation({ slug = '', question = '', apiBaseUrl, query = '' }: NavigationProps) {
  const isHere = (page: string) => slug === page || slug.startsWith(`${page}/`);
  return (
    <>
      <SearchField
        action="/docs/search"
        question={question}
        label="Search the documentation"
        button="Search"
        maxLength={searchCharacters}
      />
      <nav aria-label="Chapters" class="chapters">
        {chapters.map(({ name, pages }) => (
          <section key={name}>
            <h2 class="chapter">{name}</h2>
            <ul class="nav-list">
              {pages.map((page) => (
                <li key={page.slug}>
                  <a
                    class="nav-link"
                    href={`/docs/${page.slug}${query}`}
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
