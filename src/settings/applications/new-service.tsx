// A new service: a program that calls APIs in its own name, where no person signs in. It has a name and a secret, and gets
// tokens for the APIs that it is chosen for.
import type { Context } from 'koa';
import { createApplication } from '../../applications/application.ts';
import { requireName } from '../../applications/service-name.ts';
import { applicationNameCharacters } from '../../limits/applications.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { TextField } from '../../page/field.tsx';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { applicationRest } from './frame.tsx';
import { audited, problemOf } from './visit.ts';

const REST = '/applications/new-service';

export function createNewServiceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit) => {
    ctx.body = renderPage(<NewServicePage visit={visit} name="" problem={undefined} />);
  };
  const create = async (ctx: Context, visit: MemberVisit, { fields }: SettingsRequest) => {
    const name = fields.name ?? '';
    const problem = await problemOf(() => requireName(name));
    if (problem) {
      ctx.status = 400;
      ctx.body = renderPage(<NewServicePage visit={visit} name={name} problem={problem} />);
      return;
    }
    const { application, clientSecret } = await audited(deps, visit, {
      action: 'application.created',
      detail: { name: name.trim(), kind: 'service' },
      async make(tx, now) {
        const made = await createApplication(tx, {
          workspaceId: visit.workspace.id,
          name,
          clientType: 'confidential',
          isService: true,
          redirectUris: [],
          now,
        });
        return { ...made, id: made.application.id };
      },
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/credentials'), {
      notice: `${application.name} is ready. Choose it on the page of each API that it may call.`,
      ...(clientSecret && { secrets: [{ label: 'Client Secret', value: clientSecret }] }),
    });
  };
  return [
    { method: 'GET', path: REST, role: 'developer', fresh: true, handle: show },
    { method: 'POST', path: REST, role: 'developer', fresh: true, handle: create },
  ];
}

type NewServicePageProps = { visit: MemberVisit; name: string; problem: string | undefined };

function NewServicePage({ visit, name, problem }: NewServicePageProps) {
  return (
    <SettingsFrame
      visit={visit}
      section="applications"
      heading="New service"
      lead="A program that calls your APIs in its own name, such as a nightly job. No person signs in to it, and its tokens are free."
      crumbs={[{ label: 'Applications', path: visit.path('/applications') }]}
      problem={problem && 'The service was not created yet. Check the problem below.'}
    >
      <section class="panel">
        <Form action={visit.path(REST)} token={visit.token(REST)}>
          <TextField
            name="name"
            label="Name"
            hint="Only members of this workspace see it."
            autocomplete="off"
            maximum={applicationNameCharacters}
            value={name}
            problem={problem}
            required
            focused
          />
          <FormActions cancel={visit.path('/applications')}>Create service</FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
