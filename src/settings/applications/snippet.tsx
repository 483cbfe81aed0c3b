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
      lead="A complete program with your own values filled in. Run it, sign in, and build from there."
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
      <CallbackAdvice application={application} stack={stack} />
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
      . Keep them in the environment, never in the code.
    </p>
  );
}

const AUTH_JS_CALLBACK = '/api/auth/callback/tollgate';

/** Auth.js fixes the path itself; a single-page application needs its origin. */
function CallbackAdvice({ application, stack }: { application: Application; stack: StackName }) {
  const { redirectUris, allowedOrigins } = application;
  if (stack === 'next' && !redirectUris.some((uri) => uri.endsWith(AUTH_JS_CALLBACK))) {
    return (
      <Notice kind="warning">
        Auth.js uses its own callback path. Add{' '}
        <code>
          {new URL(redirectUris[0] ?? 'https://shop.example').origin}
          {AUTH_JS_CALLBACK}
        </code>{' '}
        under Addresses.
      </Notice>
    );
  }
  const origins = redirectUris.map((uri) => new URL(uri).origin);
  if (stack === 'single-page' && !origins.every((origin) => allowedOrigins.includes(origin))) {
    return (
      <Notice kind="warning">
        The page requests its tokens across origins. Add <code>{origins[0]}</code> to the allowed origins
        under Addresses.
      </Notice>
    );
  }
  return null;
}
