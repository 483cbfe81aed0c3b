// The code beside the credentials: chosen by links, filled with the application's own values, ready to be copied.
import type { Application } from '../../applications/application.ts';
import { Copyable } from '../../page/copyable.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { applicationPath } from './frame.tsx';
import { fillSnippet, type StackName, stacksFor } from './snippets.ts';

export type SnippetPanelProps = {
  visit: MemberVisit;
  application: Application;
  issuer: string;
  stack: StackName;
};

export function SnippetPanel({ visit, application, issuer, stack }: SnippetPanelProps) {
  const [callback = ''] = application.redirectUris;
  const choices = stacksFor(application.clientType);
  const chosen = choices.find(({ name }) => name === stack);
  return (
    <Panel
      heading="Connect it"
      lead="A complete program with your own values filled in: sign-in, a page for customers, log-out, errors and webhooks. Run it, sign in, and build from there."
    >
      {choices.length > 1 && (
        <nav class="tabs" aria-label="Stack" id="code">
          <ul>
            {choices.map(({ name, label }) => (
              <li key={name}>
                <a
                  class="tab"
                  href={`${applicationPath(visit, application, '/credentials')}?stack=${name}#code`}
                  {...(name === stack ? { 'aria-current': 'true' as const } : {})}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {visit.flash.secrets && (
        <p class="fine">
          Copy the secret above first. It won’t be shown on other pages, including another stack’s.
        </p>
      )}
      <UriAdvice application={application} stack={stack} />
      {application.clientType === 'confidential' && <Variables stack={stack} />}
      <Copyable
        label={chosen ? `${chosen.label} with ${chosen.uses}` : 'Code'}
        value={fillSnippet(stack, { issuer, clientId: application.clientId, callback })}
        multiline
      />
    </Panel>
  );
}

const ownSessionSecret: StackName[] = ['python'];

function Variables({ stack }: { stack: StackName }) {
  return (
    <p class="fine">
      Before you run it, set <code>TOLLGATE_CLIENT_SECRET</code> to the Client Secret
      {ownSessionSecret.includes(stack) && (
        <>
          {' '}
          and <code>SESSION_SECRET</code> to a random value
        </>
      )}
      {stack === 'next' && (
        <>
          {' '}
          and <code>AUTH_SECRET</code> to a random value (<code>npx auth secret</code>)
        </>
      )}
      . Keep them in the environment, never in the code. Once you have a webhook subscription for{' '}
      <code>{stack === 'next' ? '/api/webhooks' : '/webhooks'}</code>, set{' '}
      <code>TOLLGATE_WEBHOOK_SECRET</code> to its signing secret.
    </p>
  );
}

const AUTH_JS_CALLBACK = '/api/auth/callback/tollgate';

/** What the program needs beside the callback: Auth.js fixes its path. The origins of callbacks are allowed as they are. */
function UriAdvice({ application, stack }: { application: Application; stack: StackName }) {
  const missing = missingUris(application, stack);
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning">
      Add under Addresses:{' '}
      {missing.map(({ uri, as }, index) => (
        <>
          {index > 0 && '; '}
          <code>{uri}</code> {as}
        </>
      ))}
      .
    </Notice>
  );
}

type Missing = { uri: string; as: string };

function missingUris(application: Application, stack: StackName): Missing[] {
  const { redirectUris, postLogoutRedirectUris } = application;
  const { origin } = new URL(redirectUris[0] ?? 'https://shop.example');
  const missing: Missing[] = [];
  if (stack === 'next' && !redirectUris.some((uri) => uri.endsWith(AUTH_JS_CALLBACK)))
    missing.push({
      uri: `${origin}${AUTH_JS_CALLBACK}`,
      as: 'to the callbacks, because Auth.js chooses the path',
    });
  if (!postLogoutRedirectUris.includes(`${origin}/`))
    missing.push({ uri: `${origin}/`, as: 'to the addresses after logging out' });
  return missing;
}
