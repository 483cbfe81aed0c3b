// How an application looks to its customers: service name and logo, with the sign-in page as they see
// it beside the form. What arrives as a logo is drawn anew (src/applications/logo.ts), never stored as it came.
import type { Context } from 'koa';
import { type Application, requireName } from '../../applications/application.ts';
import { changeAppearance } from '../../applications/application-change.ts';
import { encodeLogo } from '../../applications/logo.ts';
import { isAtLeast } from '../../applications/member.ts';
import { Button, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { LogoField, NameField } from './fields.tsx';
import { ApplicationFrame, applicationRest } from './frame.tsx';
import { SignInPreview } from './sign-in-preview.tsx';
import { applicationOf, audited, problemOf } from './visit.ts';

const PATH = '/applications/:application/appearance';
const REMOVE_LOGO = '/applications/:application/logo/remove';

export function createAppearanceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(
      <AppearancePage visit={visit} application={application} name={application.name} problems={{}} />,
    );
  };
  const save = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const { name = '' } = request.fields;
    const upload = request.files.logo;
    const problems = {
      name: await problemOf(() => requireName(name)),
      logo: upload && (await problemOf(() => encodeLogo(upload))),
    };
    if (problems.name || problems.logo) {
      ctx.status = 400;
      ctx.body = renderPage(
        <AppearancePage visit={visit} application={application} name={name} problems={problems} />,
      );
      return;
    }
    // Before the transaction: drawing takes longer than a database lock should be held.
    const logo = upload && (await encodeLogo(upload));
    const { id, workspaceId } = application;
    await audited(deps, visit, {
      action: 'application.appearance_changed',
      target: id,
      detail: { name: name.trim(), logo: logo ? 'new' : 'unchanged' },
      make: (tx) => changeAppearance(tx, { id, workspaceId }, { name, logo }),
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/appearance'), {
      notice: logo
        ? 'Saved. Some browsers may show the old logo for another ten minutes.'
        : 'Saved. The sign-in page now shows it.',
    });
  };
  const removeLogo = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId, name } = await applicationOf(deps, visit, request);
    const application = await audited(deps, visit, {
      action: 'application.logo_removed',
      make: (tx) => changeAppearance(tx, { id, workspaceId }, { name, logo: null }),
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/appearance'), {
      notice: 'Logo removed. The first letter of the name is shown instead.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'POST', path: PATH, role: 'developer', upload: true, handle: save },
    { method: 'POST', path: REMOVE_LOGO, role: 'developer', handle: removeLogo },
  ];
}

type AppearancePageProps = {
  visit: MemberVisit;
  application: Application;
  name: string;
  problems: { name?: string | undefined; logo?: string | undefined };
};

function AppearancePage({ visit, application, name, problems }: AppearancePageProps) {
  const isRefused = problems.name || problems.logo;
  const mayChange = isAtLeast(visit.member.role, 'developer');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="appearance"
      problem={isRefused && 'Nothing was saved yet. Check the problems below.'}
    >
      {mayChange && (
        <Panel heading="Name and logo">
          <AppearanceForm visit={visit} application={application} name={name} problems={problems} />
          {application.logo && <RemoveLogo visit={visit} application={application} />}
        </Panel>
      )}
      <Panel
        heading="Preview"
        lead="The sign-in page as customers see it now, in light and dark mode. This is only a preview."
      >
        <SignInPreview application={application} />
      </Panel>
    </ApplicationFrame>
  );
}

function AppearanceForm({ visit, application, name, problems }: AppearancePageProps) {
  const rest = applicationRest(application, '/appearance');
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)} upload>
      <NameField value={name} problem={problems.name} />
      <LogoField label={application.logo ? 'New logo' : 'Logo'} problem={problems.logo} />
      <Button>Save</Button>
    </Form>
  );
}

function RemoveLogo({ visit, application }: Pick<AppearancePageProps, 'visit' | 'application'>) {
  const rest = applicationRest(application, '/logo/remove');
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)} label="Remove the logo">
      <Button kind="secondary">Remove the logo</Button>
    </Form>
  );
}
