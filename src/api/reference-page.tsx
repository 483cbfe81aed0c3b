// The readable reference at {api_base_url}/docs: the OpenAPI document laid out for people. It needs no script; the field
// above the navigation narrows it to the sections with these words.
import type { VNode } from 'preact';
import { searchCharacters } from '../limits/documentation.ts';
import { rateLimits } from '../limits/request-rates.ts';
import { renderPage } from '../page/document.tsx';
import { EmptyState } from '../page/empty.tsx';
import { ReadingFrame, SearchField } from '../page/reading-frame.tsx';
import type { ApiDocument } from './openapi.ts';
import { type Operation, type Reference, readReference } from './reference-model.ts';
import { ErrorAnswers, Heading, OperationSection, withCode } from './reference-parts.tsx';

type BaseUrls = { baseUrl: string; apiBaseUrl: string };
type Section = {
  id: string;
  label: string;
  chapter: 'Start' | 'Calls' | 'Webhooks';
  /** What is looked through, in lower case. */
  words: string;
  render(): VNode;
};

/** @returns a function of what was asked for; '' is the whole reference. */
export function createReference(document: ApiDocument, baseUrls: BaseUrls): (question: string) => string {
  let sections: Section[] | undefined;
  const whole = { text: undefined as string | undefined };
  return (typed) => {
    sections ??= sectionsOf(readReference(document), document, baseUrls);
    const question = typed.trim().slice(0, searchCharacters);
    if (question !== '') return render(sections, question, baseUrls);
    whole.text ??= render(sections, '', baseUrls);
    return whole.text;
  };
}

function render(sections: Section[], question: string, { baseUrl, apiBaseUrl }: BaseUrls): string {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sections.filter((section) => words.every((word) => section.words.includes(word)));
  return renderPage(
    <ReadingFrame
      name="API reference"
      heading="API reference"
      {...(question === '' && {
        description: 'Every call, field, error and webhook of the Tollgate API, with samples.',
      })}
      lead={
        question === '' ? (
          <>
            Everything is under <code>{apiBaseUrl}</code>. Tools take{' '}
            <a href={`${apiBaseUrl}/openapi.json`}>openapi.json</a>.
          </>
        ) : (
          <>
            {shown.length} of {sections.length} sections have “{question}”.{' '}
            <a href={`${apiBaseUrl}/docs`}>Show all</a>
          </>
        )
      }
      isWide
      scripts={['copy']}
      navigation={<Navigation shown={shown} question={question} baseUrl={baseUrl} apiBaseUrl={apiBaseUrl} />}
    >
      {shown.length === 0 && (
        <EmptyState heading="Nothing was found">
          Every word has to be in one section. Try fewer words, or{' '}
          <a href="/docs/search">all documentation</a>.
        </EmptyState>
      )}
      {shown.map((section) => (
        <div key={section.id}>{section.render()}</div>
      ))}
    </ReadingFrame>,
  );
}

type NavigationProps = BaseUrls & { shown: Section[]; question: string };

function Navigation({ shown, question, baseUrl, apiBaseUrl }: NavigationProps) {
  const chapters = Map.groupBy(shown, ({ chapter }) => chapter);
  return (
    <>
      <SearchField
        action={`${apiBaseUrl}/docs`}
        question={question}
        label="Show only the sections with these words"
        button="Filter"
        maxLength={searchCharacters}
      />
      <nav aria-label="Sections" class="chapters">
        {[...chapters].map(([name, sections]) => (
          <section key={name}>
            <h2 class="chapter">{name}</h2>
            <ul class="nav-list">
              {sections.map(({ id, label }) => (
                <li key={id}>
                  <a class="nav-link" href={`#${id}`}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <ul class="nav-list side-foot">
        <li>
          <a class="nav-link" href={`${baseUrl}/docs`}>
            Documentation
          </a>
        </li>
        <li>
          <a class="nav-link" href={`${baseUrl}/settings`}>
            Company settings
          </a>
        </li>
      </ul>
    </>
  );
}

function sectionsOf(reference: Reference, document: ApiDocument, baseUrls: BaseUrls): Section[] {
  const errors = reference.calls[0]?.answers.filter(({ code }) => code !== undefined) ?? [];
  const about = document.info.description ?? '';
  return [
    {
      id: 'authentication',
      label: 'Authentication',
      chapter: 'Start',
      words: 'authentication key bearer authorization scope identity:read cors rate limit variables api_key',
      render: () => <Authentication {...baseUrls} />,
    },
    {
      id: 'pages',
      label: 'Pages and queries',
      chapter: 'Start',
      words: `pages paging pagination cursor next_cursor has_more limit times rfc 3339 ${about.toLowerCase()}`,
      render: () => <Paging about={about} {...baseUrls} />,
    },
    ...reference.calls.map((call) => sectionOf(call, 'call')),
    {
      id: 'errors',
      label: 'Errors',
      chapter: 'Calls',
      words: wordsOf(['errors error error_description', errors]),
      render: () => (
        <div class="stack">
          <Heading id="errors" name="Errors">
            Errors
          </Heading>
          <p>
            One JSON object: <code>error</code> for programs, <code>error_description</code> for people, whose
            wording may change.
          </p>
          <ErrorAnswers answers={errors} />
        </div>
      ),
    },
    ...reference.webhooks.map((webhook) => sectionOf(webhook, 'webhook')),
  ];
}

const labels: Record<string, string> = {
  listCustomers: 'List customers',
  listEvents: 'List events',
  waitForWebhookEvents: 'Wait for events',
  'identity-registration-completed-v1': 'Registration completed',
  'identity-login-completed-v1': 'Sign-in completed',
};

function sectionOf(operation: Operation, kind: 'call' | 'webhook'): Section {
  const { id, title, request, description, parameters, fields, answers } = operation;
  return {
    id,
    label: labels[id] ?? title,
    chapter: kind === 'call' ? 'Calls' : 'Webhooks',
    words: wordsOf([id, title, request, description, parameters, fields, answers.map(({ code }) => code)]),
    render: () => <OperationSection operation={operation} kind={kind} />,
  };
}

/** Every text in it. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value.toLowerCase();
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(wordsOf).join(' ');
}

function Authentication({ baseUrl }: BaseUrls) {
  return (
    <div class="prose">
      <Heading id="authentication" name="Authentication">
        Authentication
      </Heading>
      <p>
        Send an API key of your workspace with the scope <code>identity:read</code> in one{' '}
        <code>Authorization: Bearer</code> header, from a server: there is no CORS. Create one in{' '}
        <a href={`${baseUrl}/settings`}>company settings</a> under API keys. A key may ask{' '}
        {rateLimits.api_requests.count} times per minute.
      </p>
      <p>
        The examples take it from the variable <code>API_KEY</code>, and the application from{' '}
        <code>APPLICATION_ID</code>.
      </p>
    </div>
  );
}

function Paging({ about, baseUrl }: { about: string } & BaseUrls) {
  return (
    <div class="prose">
      <Heading id="pages" name="Pages and queries">
        Pages and queries
      </Heading>
      {about.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{withCode(paragraph)}</p>
      ))}
      <p>
        Rows added meanwhile are newer than your place in a list: none of the others is skipped or repeated.
        Times are RFC 3339 with their offset; a range includes its <code>_after</code> and excludes its{' '}
        <code>_before</code>. More is in the <a href={`${baseUrl}/docs/api`}>documentation</a>.
      </p>
    </div>
  );
}
