// The pages of the relying party: values are escaped by the renderer, so nothing a token carries can become HTML.
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';

export type Customer = { issuer: string; sub: string; claims: Record<string, unknown> };
export type Charge = {
  id: string;
  kind: string;
  amount: string;
  currency: string;
  status: string;
  occurredAt: string;
  /** undefined: there is no receiver to ask. */
  webhook: 'verified' | 'on its way' | undefined;
};
/** undefined: no API key was given; `problem`: the API was asked and did not answer with events. */
export type Charges = { list: Charge[] } | { problem: string } | undefined;

export function signedOutPage(): string {
  return page(
    'Signed out',
    <section>
      <h1>Welcome</h1>
      <p class="soft">
        This shop keeps no passwords. You sign in at Tollgate, which then sends you back here.
      </p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Sign in
        </a>
        <a class="button quiet" href="/register">
          Create an account
        </a>
      </div>
    </section>,
  );
}

export function signedInPage({ customer, charges }: { customer: Customer; charges: Charges }): string {
  const { claims } = customer;
  const name = claims.name ?? claims.email ?? customer.sub;
  return page(
    'Signed in',
    <>
      <section>
        <h1>Hello, {String(name)}</h1>
        <div class="actions">
          <a class="button" href="/sign-in">
            Sign in again
          </a>
          <form method="post" action="/log-out">
            <button class="button quiet" type="submit">
              Log out
            </button>
          </form>
        </div>
      </section>
      <section aria-labelledby="claims">
        <h2 id="claims">What Tollgate says about you</h2>
        <dl>
          {Object.entries(claims).map(([claim, value]) => (
            <>
              <dt>{claim}</dt>
              <dd>
                <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              </dd>
            </>
          ))}
        </dl>
        <p class="soft">
          The shop knows you by <code>iss</code> and <code>sub</code> together; the address may change.
        </p>
      </section>
      <ChargeList charges={charges} />
    </>,
  );
}

function ChargeList({ charges }: { charges: Charges }) {
  if (charges === undefined) return null;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">What your sign-ins cost the shop</h2>
      {'problem' in charges ? <p>{charges.problem}</p> : <ChargeTable list={charges.list} />}
    </section>
  );
}

function ChargeTable({ list }: { list: Charge[] }) {
  const hasWebhooks = list.some(({ webhook }) => webhook);
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Amount</th>
            <th scope="col">Status</th>
            <th scope="col">Time</th>
            {hasWebhooks && <th scope="col">Webhook</th>}
          </tr>
        </thead>
        <tbody>
          {list.map(({ id, kind, amount, currency, status, occurredAt, webhook }) => (
            <tr key={id}>
              <td>{kind}</td>
              <td>
                {amount} {currency}
              </td>
              <td>{status}</td>
              <td>
                <time dateTime={occurredAt}>{occurredAt.slice(0, 19).replace('T', ' ')}</time>
              </td>
              {webhook && (
                <td>{webhook === 'verified' ? '✓ verified' : <a href="/">on its way, look again</a>}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function problemPage({ title, text }: { title: string; text: string }): string {
  return page(
    title,
    <section class="problem" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Try again
        </a>
        <a class="button quiet" href="/">
          Back to the shop
        </a>
      </div>
    </section>,
  );
}

function page(title: string, children: ComponentChildren): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Demo shop`}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <header>
            <strong>Demo shop</strong>
            <span>a relying party of Tollgate</span>
          </header>
          {children}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${render(document)}`;
}
