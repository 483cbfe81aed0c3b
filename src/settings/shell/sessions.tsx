// Where a member is signed in to company settings, and the way to end it everywhere else. These are
// the person's own, the same in every workspace, and each is part of a browser's session, which ends with it.
import { findAccount } from '../../accounts/account.ts';
import { listPageSessions } from '../../accounts/page-session.ts';
import { TollgateError } from '../../errors.ts';
import { pageSessionAbsoluteSeconds, pageSessionIdleSeconds } from '../../limits/settings.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, Form } from '../../page/button.tsx';
import { deviceName } from '../../page/device.ts';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { redirectTo } from './flash.ts';
import { SettingsFrame } from './frame.tsx';
import type { SettingsDependencies, SettingsRoute } from './visit.ts';

const END_OTHERS = '/sessions/end-others';
const endPath = (id: string) => `/sessions/${id}/end`;

export function createSessionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const { db, clock } = deps;
  return [
    {
      method: 'GET',
      path: '/sessions',
      role: 'viewer',
      async handle(ctx, visit) {
        const { accountId } = visit.member;
        const sessions = await listPageSessions(db, { accountId, area: 'settings', now: clock() });
        ctx.body = renderPage(
          <SettingsFrame
            visit={visit}
            section="sessions"
            heading="Your sessions"
            lead={`A session ends after ${pageSessionIdleSeconds / 60} minutes of inactivity, and after ${pageSessionAbsoluteSeconds / 3600} hours at the latest.`}
            actions={
              sessions.length > 1 && (
                <Form action={visit.path(END_OTHERS)} token={visit.token(END_OTHERS)}>
                  <Button kind="danger">End all other sessions</Button>
                </Form>
              )
            }
          >
            <Panel heading="Signed in to company settings">
              <DataTable caption="Sessions" head={['Device', 'Address', 'Last used', 'Signed in', '']}>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td>
                      {deviceName(session.userAgent)}{' '}
                      {session.id === visit.session.id && <Badge kind="good">this session</Badge>}
                    </td>
                    <td>{session.ipAddress}</td>
                    <td>
                      <Time relative at={session.lastSeenAt} />
                    </td>
                    <td>
                      <Time at={session.createdAt} />
                    </td>
                    <td>
                      {session.id !== visit.session.id && (
                        <Form
                          action={visit.path(endPath(session.id))}
                          token={visit.token(endPath(session.id))}
                        >
                          <Button kind="quiet">End</Button>
                        </Form>
                      )}
                    </td>
                  </tr>
                ))}
              </DataTable>
            </Panel>
          </SettingsFrame>,
        );
      },
    },
    {
      method: 'POST',
      path: END_OTHERS,
      role: 'viewer',
      async handle(ctx, visit) {
        const { accountId } = visit.member;
        // Not what is listed ends, but what exists: sign-ins under way and tokens of browsers closed long ago, too.
        const raise = { accountId, keepSession: visit.session.sessionHash, now: clock() };
        await visit.change((tx) => deps.revokeAccount(tx, raise));
        const account = await findAccount(db, accountId);
        if (account) deps.rememberDevice(ctx, account);
        redirectTo(ctx, deps, visit, '/sessions', {
          notice: 'You are signed out everywhere else, on every page and in every application.',
        });
      },
    },
    {
      method: 'POST',
      path: '/sessions/:session/end',
      role: 'viewer',
      async handle(ctx, visit, { params }) {
        const { accountId } = visit.member;
        await visit.change(async (tx) => {
          const now = clock();
          const sessions = await listPageSessions(tx, { accountId, area: 'settings', now });
          const uidHash = sessions.find(({ id }) => id === params.session)?.sessionHash;
          if (!uidHash) throw new TollgateError('not_found', 'That session has already ended.');
          await deps.revokeSession(tx, { uidHash, accountId, now });
        });
        redirectTo(ctx, deps, visit, '/sessions', { notice: 'Session ended. That browser is signed out.' });
      },
    },
  ];
}
