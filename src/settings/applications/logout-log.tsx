// What became of the last logout tokens of an application, for the person who looks for a reason.
import { Badge } from '../../page/badge.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import type { LogoutNotice } from '../../webhooks/logout-list.ts';

export function LogoutLog({ notices }: { notices: LogoutNotice[] }) {
  return (
    <Panel heading="Log" lead="The latest ended sessions of the last 30 days, newest first.">
      {notices.length === 0 ? (
        <EmptyState heading="Nothing sent yet">
          <p>The next session that ends is shown here.</p>
        </EmptyState>
      ) : (
        <DataTable caption="Log" head={['Status', 'Customer', 'Last response', 'Next try', 'Ended']}>
          {notices.map((notice) => (
            <LogoutRow key={notice.id} notice={notice} />
          ))}
        </DataTable>
      )}
    </Panel>
  );
}

function LogoutRow({ notice }: { notice: LogoutNotice }) {
  const { sub, sid, status, attemptCount, nextAttemptAt, createdAt } = notice;
  return (
    <tr>
      <td>
        <StatusBadge status={status} attemptCount={attemptCount} />
      </td>
      <td>
        {sub ? <code>{sub}</code> : 'Not sent yet'}
        {sid && <span class="fine">sid {sid}</span>}
      </td>
      <td>{answerWords(notice)}</td>
      <td>{nextAttemptAt ? <Time seconds at={nextAttemptAt} /> : '–'}</td>
      <td>
        <Time relative at={createdAt} />
      </td>
    </tr>
  );
}

function StatusBadge({ status, attemptCount }: Pick<LogoutNotice, 'status' | 'attemptCount'>) {
  if (status === 'delivered') return <Badge kind="good">Delivered</Badge>;
  if (status === 'failed') return <Badge kind="bad">Failed</Badge>;
  return attemptCount > 0 ? <Badge kind="warning">Retrying</Badge> : <Badge kind="neutral">Pending</Badge>;
}

const failureWords: Record<string, string> = {
  blocked_address: 'The host name resolves to an address that is not allowed',
  connection: 'No connection',
  dns: 'The host name could not be resolved',
  invalid_response: 'The response was not HTTP',
  timeout: 'No complete response within 10 s',
  tls: 'TLS failed: certificate or host name',
  withdrawn: 'Not sent: the endpoint was removed, or the application disabled',
};

function answerWords({ responseStatus, failure }: LogoutNotice): string {
  if (failure !== null) return failureWords[failure] ?? failure;
  if (responseStatus === 400) return '400: your endpoint refused the token';
  return responseStatus === null ? 'None yet' : String(responseStatus);
}
