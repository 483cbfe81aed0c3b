// The readable reference at {api_base_url}/docs: the same schemas that parse and shape everything, laid out for
// people, so that it cannot say anything else than the API does.
import { z } from 'zod';
import { rateLimits } from '../limits/protocol.ts';
import { renderPage } from '../page/document.tsx';
import { WidePage } from '../page/layout.tsx';
import { customersQuerySchema, eventsQuerySchema } from './query.ts';
import { customerSchema, errorSchema, eventSchema, webhookSchemas } from './schemas.ts';

const TITLE = 'Customer-data API';

export function renderReference(apiBaseUrl: string): string {
  return renderPage(
    <WidePage
      language="en"
      title={`${TITLE} · Tollgate`}
      heading={TITLE}
      lead="Reads the customers and the usage events of your applications."
    >
      <KeySection apiBaseUrl={apiBaseUrl} />
      <List name="customers" query={customersQuerySchema} item={customerSchema} itemName="customer" />
      <List name="events" query={eventsQuerySchema} item={eventSchema} itemName="event" />
      <PagingSection />
      <ErrorSection />
      <WebhookSection />
    </WidePage>,
  );
}

function KeySection({ apiBaseUrl }: { apiBaseUrl: string }) {
  const command = `curl -H "Authorization: Bearer $API_KEY" \\\n  "${apiBaseUrl}/applications/$APPLICATION_ID/customers?limit=10"`;
  return (
    <section class="panel">
      <h2>Address and key</h2>
      <p>
        Everything is under <code>{apiBaseUrl}</code>; tools take{' '}
        <a href={`${apiBaseUrl}/openapi.json`}>openapi.json</a>.
      </p>
      <p>
        Send an API key of your workspace with the scope <code>identity:read</code> in one{' '}
        <code>Authorization: Bearer</code> header, from a server: there is no CORS. A key may ask{' '}
        {rateLimits.api_requests.count} times per minute.
      </p>
      <pre>
        <code>{command}</code>
      </pre>
    </section>
  );
}

type ListProps = { name: string; query: z.ZodObject; item: z.ZodObject; itemName: string };

function List({ name, query, item, itemName }: ListProps) {
  return (
    <section class="panel">
      <h2>
        <code>GET /applications/&#123;applicationId&#125;/{name}</code>
      </h2>
      <Fields caption="Query parameters, all optional" schema={query} />
      <Fields caption={`Fields of each ${itemName} in "data"`} schema={item} />
    </section>
  );
}

function PagingSection() {
  return (
    <section class="panel">
      <h2>Pages</h2>
      <p>
        A response is <code>{'{"data": […], "has_more": true, "next_cursor": "…"}'}</code>, newest first.
        While <code>has_more</code> is true, ask again with the same filters and <code>cursor</code> set to{' '}
        <code>next_cursor</code>. Rows added meanwhile are newer than your place in the list: none of the
        others is skipped or repeated.
      </p>
      <p>
        A parameter that is unknown, repeated or empty is refused. Times are RFC 3339 with their offset; a
        range includes its <code>_after</code> and excludes its <code>_before</code>.
      </p>
    </section>
  );
}

const ERRORS: Fact[] = [
  { name: '400 invalid_request', text: 'A parameter is unknown, repeated, empty or malformed.' },
  { name: '401 invalid_token', text: 'The request has no valid API key in its Authorization header.' },
  { name: '403 insufficient_scope', text: 'The key lacks the scope `identity:read`.' },
  { name: '404 not_found', text: 'Unknown, deleted, or of another workspace: these are not told apart.' },
  { name: '405 method_not_allowed', text: 'Only GET, HEAD and OPTIONS are supported.' },
  {
    name: '429 too_many_requests',
    text: 'Wait for the seconds in `Retry-After`, then retry with jittered backoff.',
  },
  { name: '503 service_unavailable', text: 'Busy or restarting: retry after the seconds in `Retry-After`.' },
];

function ErrorSection() {
  return (
    <section class="panel">
      <h2>Errors</h2>
      <Fields caption="Every error is one JSON object" schema={errorSchema} />
      <Facts caption="Status and code" facts={ERRORS} />
    </section>
  );
}

function WebhookSection() {
  return (
    <section class="panel">
      <h2>Webhooks</h2>
      {Object.entries(webhookSchemas).map(([type, schema]) => (
        <Fields key={type} caption={type} schema={schema} />
      ))}
      <Fields caption='"data" of both' schema={webhookSchemas['identity.login.completed.v1'].shape.data} />
    </section>
  );
}

function Fields({ caption, schema }: { caption: string; schema: z.ZodObject }) {
  const facts = Object.entries(schema.shape).map(([name, field]) => {
    const { description = '', example } = z.globalRegistry.get(field) ?? {};
    return { name, text: description, example: example === undefined ? undefined : JSON.stringify(example) };
  });
  return <Facts caption={caption} facts={facts} />;
}

type Fact = { name: string; text: string; example?: string | undefined };

/** A list, not a table: names stay whole on a phone. */
function Facts({ caption, facts }: { caption: string; facts: Fact[] }) {
  return (
    <>
      <p class="label">{caption}</p>
      <ul class="facts">
        {facts.map(({ name, text, example }) => (
          <li key={name}>
            <strong>
              <code>{name}</code>
            </strong>
            <span>{withCode(text)}</span>
            {example && (
              <span class="fine">
                Example: <code>{example}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The schemas' descriptions mark code with backticks, as OpenAPI tools expect. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
