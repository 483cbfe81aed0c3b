// The readable reference at {api_base_url}/docs: the same schemas that parse and shape everything, laid out for
// people, so that it cannot say anything else than the API does.
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import { rateLimits } from '../limits.ts';
import {
  customerSchema,
  customersQuerySchema,
  errorSchema,
  eventSchema,
  eventsQuerySchema,
  webhookSchemas,
} from './schemas.ts';

const TITLE = 'Customer-data API';

export function renderReference(apiBaseUrl: string): string {
  return `<!doctype html>${renderToString(
    <Page>
      <h1>{TITLE}</h1>
      <p>
        Reads the customers and the usage events of your applications. Everything is under{' '}
        <code>{apiBaseUrl}</code>; tools take <a href={`${apiBaseUrl}/openapi.json`}>openapi.json</a>.
      </p>
      <KeySection apiBaseUrl={apiBaseUrl} />
      <List name="customers" query={customersQuerySchema} item={customerSchema} itemName="customer" />
      <List name="events" query={eventsQuerySchema} item={eventSchema} itemName="event" />
      <PagingSection />
      <ErrorSection />
      <WebhookSection />
    </Page>,
  )}`;
}

function Page({ children }: { children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{TITLE} · Tollgate</title>
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

function KeySection({ apiBaseUrl }: { apiBaseUrl: string }) {
  const command = `curl -H "Authorization: Bearer $API_KEY" \\\n  "${apiBaseUrl}/applications/$APPLICATION_ID/customers?limit=10"`;
  return (
    <section>
      <h2>The key</h2>
      <p>
        Send an API key of your workspace with the scope <code>identity:read</code> in one{' '}
        <code>Authorization: Bearer</code> header, from a server: there is no CORS. A key may ask{' '}
        {rateLimits.api_requests.count} times a minute.
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
    <section>
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
    <section>
      <h2>Pages</h2>
      <p>
        An answer is <code>{'{"data": […], "has_more": true, "next_cursor": "…"}'}</code>, newest first. While{' '}
        <code>has_more</code> is true, ask again with the same filters and <code>cursor</code> set to{' '}
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

const ERRORS = [
  ['400', 'invalid_request', 'A parameter is unknown, repeated, empty or malformed.'],
  ['401', 'invalid_token', 'There is no valid API key in the one place where it belongs.'],
  ['403', 'insufficient_scope', 'The key lacks the scope identity:read.'],
  ['404', 'not_found', 'Unknown, deleted, or of another workspace.'],
  ['405', 'method_not_allowed', 'Only GET, HEAD and OPTIONS are answered.'],
  ['429', 'too_many_requests', 'Wait for the seconds in Retry-After, then retry with jittered backoff.'],
  ['503', 'service_unavailable', 'Busy or restarting: retry after the seconds in Retry-After.'],
];

function ErrorSection() {
  return (
    <section>
      <h2>Errors</h2>
      <Fields caption="Every error is one JSON object" schema={errorSchema} />
      <Table caption="Codes" head={['Status', 'error', 'Meaning']} rows={ERRORS} />
    </section>
  );
}

function WebhookSection() {
  return (
    <section>
      <h2>Webhooks</h2>
      {Object.entries(webhookSchemas).map(([type, schema]) => (
        <div key={type}>
          <Fields caption={type} schema={schema} />
        </div>
      ))}
      <Fields caption='"data" of both' schema={webhookSchemas['identity.login.completed.v1'].shape.data} />
    </section>
  );
}

function Fields({ caption, schema }: { caption: string; schema: z.ZodObject }) {
  const rows = Object.entries(schema.shape).map(([name, field]) => {
    const { description = '', example } = z.globalRegistry.get(field) ?? {};
    return [name, description, example === undefined ? '' : JSON.stringify(example)];
  });
  return <Table caption={caption} head={['Name', 'Meaning', 'Example']} rows={rows} />;
}

function Table({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others]) => (
          <tr key={first}>
            <th scope="row">
              <code>{first}</code>
            </th>
            {others.map((text) => (
              <td key={text}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
