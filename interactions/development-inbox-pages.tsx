// The pages of the development inbox: the list, which looks for new mail by itself where scripts run, and one message as
// HTML or as text.
import type { ComponentChildren } from 'preact';
import { EmptyState } from '../src/page/empty.tsx';
import { Facts } from '../src/page/facts.tsx';
import { WidePage } from '../src/page/layout.tsx';
import type { ScriptName } from '../src/page/scripts.ts';
import { Tabs } from '../src/page/tabs.tsx';
import { Time } from '../src/page/time.tsx';
import type { DevelopmentMail } from '../src/queue/mail.ts';

const INBOX = '/dev/inbox';

export function InboxPage({ mails, to }: { mails: DevelopmentMail[]; to: string | undefined }) {
  return (
    <Frame
      heading="Development inbox"
      lead="Mail stays here while SMTP_URL is not set. Newest first; the page looks for more by itself."
      scripts={['copy', 'time', 'refresh']}
    >
      {to && (
        <p>
          Only mail to <strong>{to}</strong>. <a href={INBOX}>Show all mail</a>
        </p>
      )}
      {mails.length === 0 ? (
        <EmptyState heading="No mail yet.">
          <p>Ask for a code on a sign-in page and it appears here.</p>
          <p>
            <a href="/account">Sign in to your account</a> asks for one; <a href="/">the start page</a> knows
            more.
          </p>
        </EmptyState>
      ) : (
        <section class="panel" data-refresh aria-label="Mail">
          <ul class="entries">
            {mails.map((mail) => (
              <li key={mail.id}>
                <div class="row-words">
                  <a href={`${INBOX}/${mail.id}`}>{mail.subject}</a>
                  <span class="fine">
                    To {mail.recipient} · <Time relative at={mail.sentAt} />
                  </span>
                </div>
                <Code mail={mail} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="fine">
        <a href={to ? `${INBOX}?to=${encodeURIComponent(to)}` : INBOX}>Look for new mail</a> ·{' '}
        <a href={`${INBOX}.json`}>The same as JSON</a>
      </p>
    </Frame>
  );
}

export function MessagePage({ mail, part }: { mail: DevelopmentMail; part: 'html' | 'text' }) {
  const path = `${INBOX}/${mail.id}`;
  return (
    <Frame heading={mail.subject} scripts={['copy', 'time', 'tabs']} back>
      <section class="panel" aria-label="Message">
        <div class="row">
          <Facts
            facts={[
              ['From', mail.sender],
              ['To', mail.recipient],
              ['Sent', <Time key="sent" at={mail.sentAt} />],
            ]}
          />
          <Code mail={mail} />
        </div>
        <Tabs
          label="Parts of the message"
          tabs={[
            { label: 'HTML', path, isCurrent: part === 'html' },
            { label: 'Text', path: `${path}?part=text`, isCurrent: part === 'text' },
          ]}
        />
        {part === 'html' ? (
          <iframe class="inbox-mail" src={`${path}/html`} title="The message as HTML" />
        ) : (
          <pre>{linked(mail.text)}</pre>
        )}
      </section>
    </Frame>
  );
}

type FrameProps = {
  heading: string;
  lead?: string;
  scripts: ScriptName[];
  back?: boolean;
  children: ComponentChildren;
};

function Frame({ heading, lead, scripts, back, children }: FrameProps) {
  const above = back && (
    <p>
      <a href={INBOX}>← Development inbox</a>
    </p>
  );
  return (
    <WidePage
      language="en"
      title={`${heading} · Tollgate`}
      heading={heading}
      lead={lead}
      above={above}
      scripts={scripts}
    >
      {children}
    </WidePage>
  );
}

/** Where there is one: selected by one click, and copied by the button where scripts run. */
function Code({ mail }: { mail: DevelopmentMail }) {
  const [, code] = /^ {4}(\d{4,10})$/m.exec(mail.text) ?? [];
  if (!code) return null;
  return (
    <div class="copyable inbox-code">
      <code class="copyable-value" data-copy-value>
        {code}
      </code>
      <button type="button" class="button button-quiet copy" data-copy={`Copy the code ${code}`} hidden>
        Copy
      </button>
    </div>
  );
}

const URLS = /(https?:\/\/[^\s<>"]+)/;

/** Addresses as links; everything else as it is. */
function linked(text: string): ComponentChildren[] {
  return text.split(URLS).map((part, place) =>
    place % 2 === 1 ? (
      <a key={place} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
