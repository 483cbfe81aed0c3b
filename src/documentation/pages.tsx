// The pages of /docs: the start page with a path for each reader, a page of Markdown, and what a search found.

import { renderPage } from '../page/document.tsx';
import { EmptyState } from '../page/empty.tsx';
import { chapters } from './contents.ts';
import { DocumentationFrame } from './frame.tsx';
import { Markdown } from './markdown.tsx';
import type { OwnApplications } from './reader.ts';
import type { Found } from './search.ts';
import type { BaseUrls, Page, Shelf } from './shelf.ts';

export function renderStart({ baseUrl, apiBaseUrl }: BaseUrls): string {
  return renderPage(
    <DocumentationFrame
      heading="Documentation"
      description="How to sign people in with Tollgate: integrate, understand, go live and operate it."
      lead={
        <>
          Your issuer is <code>{baseUrl}</code>; it is filled in on every page.
        </>
      }
      apiBaseUrl={apiBaseUrl}
    >
      <div class="cards paths">
        {chapters.map(({ name, lead, pages }) => (
          <section class="panel" key={name}>
            <h2>{name}</h2>
            <p>{lead}</p>
            <ul class="plain">
              {pages.map(({ slug, label }) => (
                <li key={slug}>
                  <a href={`/docs/${slug}`}>{label}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </DocumentationFrame>,
  );
}

export function renderDocument(
  page: Page,
  shelf: Shelf,
  { apiBaseUrl }: BaseUrls,
  own?: OwnApplications,
): string {
  const { chosen } = own ?? {};
  const reader = chosen && { clientId: chosen.clientId, query: `?application=${chosen.id}` };
  return renderPage(
    <DocumentationFrame
      heading={page.title}
      slug={page.slug}
      apiBaseUrl={apiBaseUrl}
      query={reader?.query}
      {...(own ? {} : { description: `${page.title}, in the documentation of Tollgate.` })}
    >
      {own && own.all.length > 0 && <OwnApplication page={page} own={own} />}
      <OnThisPage page={page} />
      <div class="prose">
        <Markdown tokens={page.tokens} place={{ page, shelf, ...(reader && { reader }) }} />
      </div>
    </DocumentationFrame>,
  );
}

function OwnApplication({ page, own: { all, chosen } }: { page: Page; own: OwnApplications }) {
  return (
    <section class="own-application" aria-label="Your application">
      <p>
        {chosen ? (
          <>
            With the Client ID of <strong>{chosen.name}</strong> ({chosen.company}) filled in.
          </>
        ) : (
          'Choose an application, and its Client ID is filled in.'
        )}
      </p>
      {all.length > 1 && (
        <form class="filter" action={`/docs/${page.slug}`}>
          <select class="input" name="application" aria-label="Application">
            {all.map(({ id, name, company }) => (
              <option key={id} value={id} selected={id === chosen?.id}>
                {name} ({company})
              </option>
            ))}
          </select>
          <button class="button button-secondary" type="submit">
            Use it
          </button>
        </form>
      )}
    </section>
  );
}

const fewHeadings = 3;

function OnThisPage({ page }: { page: Page }) {
  const headings = page.sections.filter(({ anchor }) => anchor !== undefined);
  if (headings.length < fewHeadings) return null;
  return (
    <details class="on-this-page">
      <summary>On this page</summary>
      <nav aria-label="On this page">
        <ul class="plain">
          {headings.map(({ heading, anchor }) => (
            <li key={anchor}>
              <a href={`#${anchor}`}>{heading}</a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

type Answer = { question: string; found: Found[] };

export function renderSearch({ question, found }: Answer, { apiBaseUrl }: BaseUrls): string {
  const lead = question === '' ? 'Type what you are looking for.' : `For “${question}”.`;
  return renderPage(
    <DocumentationFrame heading="Search" lead={lead} question={question} apiBaseUrl={apiBaseUrl}>
      {found.length === 0 && question !== '' && (
        <EmptyState heading="Nothing was found">
          Every word has to be in one section. Try fewer words, or the <a href="/docs">start page</a>.
        </EmptyState>
      )}
      {found.length > 0 && (
        <ol class="found">
          {found.map((each) => (
            <FoundSection key={each.path} found={each} />
          ))}
        </ol>
      )}
    </DocumentationFrame>,
  );
}

function FoundSection({ found: { path, title, heading, excerpt } }: { found: Found }) {
  return (
    <li>
      <a href={path}>{heading ? `${title}: ${heading}` : title}</a>
      <p>{excerpt.map(({ text, isWord }, index) => (isWord ? <mark key={index}>{text}</mark> : text))}</p>
    </li>
  );
}
