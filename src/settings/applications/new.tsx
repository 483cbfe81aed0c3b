// A new application: service name, callback address, optional logo, confidential or public. The form
// leads with what the two kinds mean, because that choice cannot be changed later.
import type { Context } from 'koa';
import { createApplication } from '../../applications/application.ts';
import { encodeLogo } from '../../applications/logo.ts';
import { redirectUriProblem } from '../../applications/redirect-uri.ts';
import { requireName } from '../../applications/service-name.ts';
import { customersInTestMode, redirectUriCharacters } from '../../limits/applications.ts';
import { ButtonLink, Form, FormActions } from '../../page/button.tsx';
import { RadioFields, SelectField } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { UrlField } from '../../page/field.tsx';
import { redirectTo } from '../shell/flash.ts';
import { isRefused } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { LogoField, NameField } from './fields.tsx';
import { applicationRest } from './frame.tsx';
import { welcomeLive } from './go-live.tsx';
import { defaultStack, isStackFor, stacks } from './snippets.ts';
import { audited, problemOf } from './visit.ts';

const REST = '/applications/new';

export function createNewApplicationRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const open = async (ctx: Context, visit: MemberVisit) =>
    show(ctx, { visit, typed: { kind: 'confidential', mode: 'test' }, problems: {} });
  const create = async (ctx: Context, visit: MemberVisit, { fields, files }: SettingsRequest) => {
    const typed: Typed = fields;
    const problems = await problemsOf(typed, files.logo);
    if (!isKind(typed.kind) || !isMode(typed.mode) || isRefused(problems)) {
      ctx.status = 400;
      show(ctx, { visit, typed, problems });
      return;
    }
    const { kind, mode } = typed;
    // Before the transaction: drawing takes longer than a database lock should be held.
    const logo = files.logo && (await encodeLogo(files.logo));
    const { application, clientSecret } = await audited(deps, visit, {
      action: 'application.created',
      detail: { name: (typed.name ?? '').trim(), kind, mode },
      async make(tx, now) {
        const created = await createApplication(tx, {
          workspaceId: visit.workspace.id,
          name: typed.name ?? '',
          clientType: kind,
          redirectUris: [(typed.callback ?? '').trim()],
          isTest: mode === 'test',
          ...(logo && { logo }),
          now,
        });
        if (mode === 'live') await welcomeLive(tx, deps, created.application, now);
        return { ...created, id: created.application.id };
      },
    });
    const stack = isStackFor(kind, typed.stack) ? typed.stack : defaultStack(kind);
    redirectTo(ctx, deps, visit, applicationRest(application, `/credentials?stack=${stack}`), {
      notice: `${application.name} is ready.`,
      ...(clientSecret && { secrets: [{ label: 'Client Secret', value: clientSecret }] }),
    });
  };
  return [
    { method: 'GET', path: REST, role: 'developer', fresh: true, handle: open },
    { method: 'POST', path: REST, role: 'developer', fresh: true, upload: true, handle: create },
  ];
}

type Typed = { name?: string; callback?: string; kind?: string; mode?: string; stack?: string };
type Problems = Partial<Record<'name' | 'callback' | 'kind' | 'mode' | 'logo', string | undefined>>;

function isKind(kind: string | undefined): kind is 'confidential' | 'public' {
  return kind === 'confidential' || kind === 'public';
}

function isMode(mode: string | undefined): mode is 'test' | 'live' {
  return mode === 'test' || mode === 'live';
}

async function problemsOf(typed: Typed, logo: Uint8Array | undefined): Promise<Problems> {
  const callback = (typed.callback ?? '').trim();
  const callbackProblem = callback === '' ? 'is missing' : redirectUriProblem(callback);
  return {
    name: await problemOf(() => requireName(typed.name ?? '')),
    callback: callbackProblem && `The callback address ${callbackProblem}.`,
    kind: isKind(typed.kind) ? undefined : 'Choose one of the two.',
    mode: isMode(typed.mode) ? undefined : 'Choose one of the two.',
    logo: logo && (await problemOf(() => encodeLogo(logo))),
  };
}

type PageProps = { visit: MemberVisit; typed: Typed; problems: Problems };

function show(ctx: Context, props: PageProps): void {
  // A chosen picture is shown before it is sent (src/page/browser/drop.ts).
  ctx.state.cspBlobImages = true;
  ctx.body = renderPage(<NewApplicationPage {...props} />);
}

function NewApplicationPage({ visit, typed, problems }: PageProps) {
  return (
    <SettingsFrame
      visit={visit}
      section="applications"
      heading="New application"
      lead="All you need is a name and a callback address. You can change everything except the kind later. A live application stays live."
      crumbs={[{ label: 'Applications', path: visit.path('/applications') }]}
      actions={<ButtonLink href={visit.path('/applications/new-service')}>No person signs in</ButtonLink>}
      problem={isRefused(problems) && 'The application was not created yet. Check the problems below.'}
      scripts={['drop']}
    >
      <section class="panel">
        <Form action={visit.path(REST)} token={visit.token(REST)} upload>
          <RadioFields name="mode" legend="Mode" value={typed.mode} problem={problems.mode} options={modes} />
          <RadioFields name="kind" legend="Kind" value={typed.kind} problem={problems.kind} options={kinds} />
          <NameField value={typed.name} problem={problems.name} />
          <UrlField
            name="callback"
            label="Callback address"
            hint="The HTTPS address that receives the authorization code, matched exactly. You can add more later."
            placeholder="https://shop.example/callback"
            maximum={redirectUriCharacters}
            value={typed.callback}
            problem={problems.callback}
            required
          />
          <LogoField problem={problems.logo} />
          <SelectField
            name="stack"
            label="Show me the code for"
            value={typed.stack ?? 'node'}
            options={stacks.map(({ name, label }) => ({ value: name, label }))}
          />
          <FormActions cancel={visit.path('/applications')}>Create application</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}

const modes = [
  {
    value: 'test',
    label: 'Test',
    hint: `Sign-ins work at once and cost nothing. For your team and testers: at most ${customersInTestMode} customers. Go live whenever you are ready.`,
  },
  {
    value: 'live',
    label: 'Live',
    hint: 'For real customers. Sign-ins are charged to the application’s balance. It stays live.',
  },
];

const kinds = [
  {
    value: 'confidential',
    label: 'Confidential: it has a backend',
    hint: 'Your server keeps the Client Secret and the tokens, and the browser only a session cookie. Right for almost every application.',
  },
  {
    value: 'public',
    label: 'Public: a single-page application without a backend',
    hint: 'Runs entirely in the browser, which can’t keep a secret, so there is none. Access tokens are valid for 10 minutes.',
  },
];
