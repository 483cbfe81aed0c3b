// Signing in on devices by a code (docs/devices.md): off until an owner has read what it opens. The audit log keeps who.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { changeDevices } from '../../applications/application-change.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { applicationOf, audited } from './visit.ts';

const PATH = '/applications/:application/devices';

export function createDeviceRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(<DevicesPage visit={visit} application={application} />);
  };
  const change = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId } = await applicationOf(deps, visit, request);
    const isOn = request.fields.devices === 'on';
    const detail = { devices: isOn ? 'on' : 'off' };
    const application = await audited(deps, visit, {
      action: 'application.devices_changed',
      detail,
      make: (tx) => changeDevices(tx, { id, workspaceId }, isOn),
    });
    redirectTo(ctx, deps, visit, applicationRest(application), {
      notice: isOn
        ? `Customers of ${application.name} can sign in on devices.`
        : `No more devices can begin to sign in to ${application.name}.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'owner', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'owner', fresh: true, handle: change },
  ];
}

function DevicesPage({ visit, application }: { visit: MemberVisit; application: Application }) {
  const rest = applicationRest(application, '/devices');
  const next = application.allowsDevices ? 'off' : 'on';
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading={`Switch devices ${next}`}
      lead={next === 'on' ? ON : OFF}
    >
      <section class="panel">
        {next === 'on' && <WhatItOpens />}
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <input type="hidden" name="devices" value={next} />
          <FormActions cancel={applicationPath(visit, application)}>Switch {next}</FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}

const ON =
  'For televisions, consoles and command lines without a browser. They show a code, and the person types it on a phone or computer.';
const OFF =
  'No device can ask for a code any more, and codes that wait are worth nothing. Devices that are signed in stay signed in.';

function WhatItOpens() {
  return (
    <>
      <h2>What it opens</h2>
      <ul class="points">
        <li>
          Someone can begin on their own device and talk your customer into typing the code. The page warns of
          that and asks outright, but PKCE, <code>state</code> and <code>nonce</code> don’t exist here to
          prevent it.
        </li>
        <li>
          A public application has no secret: anyone who knows the Client ID can ask for codes in its name.
        </li>
      </ul>
      <h2>What stays</h2>
      <ul class="points">
        <li>People sign in on our pages only. The device never sees a password or an emailed code.</li>
        <li>A device’s first tokens are charged like every other session, and nothing else is.</li>
      </ul>
    </>
  );
}
