// How an application looks to its customers, with the sign-in page as they see it. What arrives as a logo is drawn anew
// (src/applications/logo.ts), never stored as it came.
import type { Context } from 'koa';
import { findAppearance, saveAppearance } from '../../applications/appearance.ts';
import { changeAppearance } from '../../applications/application-change.ts';
import { encodeLogo } from '../../applications/logo.ts';
import { isAtLeast } from '../../applications/member.ts';
import { requireName } from '../../applications/service-name.ts';
import { Button, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { previewStyles } from '../../page/look-styles.ts';
import { Panel } from '../../page/panel.tsx';
import { parseSender } from '../../queue/mail.ts';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { AppearanceForm, type AppearanceFormProps, type AppearanceProblems } from './appearance-form.tsx';
import { ApplicationFrame, applicationRest } from './frame.tsx';
import { changesOf, readColours, readLook } from './look-fields.ts';
import { SignInPreview } from './sign-in-preview.tsx';
import { applicationOf, audited, problemOf } from './visit.ts';

const PATH = '/applications/:application/appearance';
const PREVIEW = '/applications/:application/appearance/preview.css';
const REMOVE_LOGO = '/applications/:application/logo/remove';

export function createAppearanceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const sender = parseSender(deps.config.mailFrom);
  return [
    {
      method: 'GET',
      path: PATH,
      role: 'viewer',
      async handle(ctx, visit, request) {
        const application = await applicationOf(deps, visit, request);
        const look = await findAppearance(deps.db, application.id);
        show(ctx, { visit, application, look, sender, name: application.name, typed: {}, problems: {} });
      },
    },
    {
      // The preview's style sheet for what is chosen and not saved yet: made of checked values alone, like the real one.
      method: 'GET',
      path: PREVIEW,
      role: 'viewer',
      async handle(ctx, visit, request) {
        const { id } = await applicationOf(deps, visit, request);
        const look = await findAppearance(deps.db, id);
        ctx.type = 'text/css; charset=utf-8';
        ctx.set('Cache-Control', 'no-store');
        ctx.body = previewStyles(readColours(request.query, look));
      },
    },
    {
      method: 'POST',
      path: PATH,
      role: 'developer',
      upload: true,
      handle: (ctx, visit, request) => save(deps, ctx, visit, request),
    },
    {
      method: 'POST',
      path: REMOVE_LOGO,
      role: 'developer',
      handle: (ctx, visit, request) => removeLogo(deps, ctx, visit, request),
    },
  ];
}

async function save(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  request: SettingsRequest,
): Promise<void> {
  const application = await applicationOf(deps, visit, request);
  const { fields, files } = request;
  const { name = '' } = fields;
  const before = await findAppearance(deps.db, application.id);
  const { look, problems: wrong } = await readLook(fields, before);
  // Before the transaction: drawing takes longer than a database lock should be held.
  const logo = await drawn(files.logo);
  const dark = await drawn(files.logo_dark);
  const problems: AppearanceProblems = {
    ...wrong,
    name: await problemOf(() => requireName(name)),
    logo: logo.problem,
    logo_dark: dark.problem,
  };
  if (Object.values(problems).some((problem) => problem !== undefined)) {
    ctx.status = 400;
    const sender = parseSender(deps.config.mailFrom);
    return show(ctx, { visit, application, look, sender, name, typed: fields, problems });
  }
  const darkLogo = fields.remove_logo_dark === 'on' ? null : dark.picture;
  const { hasDarkLogo: _has, ...values } = look;
  const { id, workspaceId } = application;
  const changed = [changesOf(before, look), darkLogo === undefined ? '' : 'logo for dark mode'].filter(
    Boolean,
  );
  await audited(deps, visit, {
    action: 'application.appearance_changed',
    target: id,
    detail: {
      name: name.trim(),
      logo: logo.picture ? 'new' : 'unchanged',
      ...(changed.length > 0 && { look: changed.join(', ') }),
    },
    async make(tx, now) {
      await changeAppearance(tx, { id, workspaceId }, { name, logo: logo.picture });
      if (changed.length > 0) await saveAppearance(tx, { ...values, applicationId: id, darkLogo, now });
    },
  });
  redirectTo(ctx, deps, visit, applicationRest(application, '/appearance'), {
    notice:
      logo.picture || darkLogo
        ? 'Saved. Some browsers may show the old logo for another ten minutes.'
        : 'Saved. The sign-in page now shows it.',
  });
}

type Drawn = { picture?: Uint8Array; problem?: string | undefined };

async function drawn(upload: Uint8Array | undefined): Promise<Drawn> {
  if (!upload) return {};
  const problem = await problemOf(() => encodeLogo(upload));
  return problem ? { problem } : { picture: await encodeLogo(upload) };
}

async function removeLogo(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  request: SettingsRequest,
): Promise<void> {
  const { id, workspaceId, name } = await applicationOf(deps, visit, request);
  const application = await audited(deps, visit, {
    action: 'application.logo_removed',
    make: (tx) => changeAppearance(tx, { id, workspaceId }, { name, logo: null }),
  });
  redirectTo(ctx, deps, visit, applicationRest(application, '/appearance'), {
    notice: 'Logo removed. The first letter of the name is shown instead.',
  });
}

type PageProps = AppearanceFormProps & { sender: { name: string; address: string } };

function show(ctx: Context, props: PageProps): void {
  // A chosen picture is shown before it is sent (src/page/browser/appearance.ts).
  ctx.state.cspBlobImages = true;
  ctx.body = renderPage(<AppearancePage {...props} />);
}

function AppearancePage(props: PageProps) {
  const { visit, application, look, sender, problems } = props;
  const isRefused = Object.values(problems).some((problem) => problem !== undefined);
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="appearance"
      scripts={['drop', 'appearance']}
      problem={isRefused && 'Nothing was saved yet. Check the problems below.'}
    >
      <div class="appearance">
        {isAtLeast(visit.member.role, 'developer') && (
          <div class="stack">
            <AppearanceForm {...props} />
            {application.logo && <RemoveLogo visit={visit} application={application} />}
          </div>
        )}
        <Panel
          heading="Preview"
          lead="The sign-in page and the head of a mail as customers see them, in light and dark mode. This is only a preview."
        >
          <link
            rel="stylesheet"
            href={visit.path(applicationRest(application, '/appearance/preview.css'))}
            data-preview-styles
          />
          <SignInPreview application={{ ...application, appearance: look }} sender={sender} />
        </Panel>
      </div>
    </ApplicationFrame>
  );
}

function RemoveLogo({ visit, application }: Pick<AppearanceFormProps, 'visit' | 'application'>) {
  const rest = applicationRest(application, '/logo/remove');
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)} label="Remove the logo">
      <Button kind="secondary">Remove the logo</Button>
    </Form>
  );
}
