// What a page says when a balance is low, or pays for no sign-in any more. For the overview and for
// the pages of an application.

import { type LowBalance, listLowBalances } from '../../ledger/low-balance-warning.ts';
import { showMoney } from '../../money.ts';
import { Notice } from '../../page/notice.tsx';
import type { MemberVisit, SettingsDependencies } from '../shell/visit.ts';

export type { LowBalance };

/** Of the whole workspace, or of one application; the gravest first. */
export function findLowBalances(
  { db }: Pick<SettingsDependencies, 'db'>,
  { workspace }: Pick<MemberVisit, 'workspace'>,
  applicationId?: string,
): Promise<LowBalance[]> {
  const scope = { workspaceId: workspace.id, ...(applicationId === undefined ? {} : { applicationId }) };
  return listLowBalances(db, scope);
}

/** Without a visit, on the balance page itself, there is no link to it. */
type Props = { visit?: Pick<MemberVisit, 'path'>; balances: LowBalance[] };

export function LowBalanceNotices({ visit, balances }: Props) {
  return (
    <>
      {balances.map((low) => (
        <Notice key={low.applicationId} kind={low.state === 'empty' ? 'problem' : 'warning'}>
          {low.state === 'empty' ? (
            <>
              Sign-ins to <strong>{low.applicationName}</strong> fail: its balance of{' '}
              {showMoney(low.balance, low.currency)} does not pay for one.{' '}
            </>
          ) : (
            <>
              The balance of <strong>{low.applicationName}</strong> is low:{' '}
              {showMoney(low.balance, low.currency)}.{' '}
            </>
          )}
          {visit && <a href={visit.path(`/applications/${low.applicationId}/balance`)}>View balance</a>}
        </Notice>
      ))}
    </>
  );
}
