// The commands about people: what is stored about one, the proof of all, and who belongs to a company.
import type { Command } from 'commander';
import { asks, needs, within } from './ask.ts';
import { showAnswer, showReport } from './output.ts';

export function addPeople(account: Command): void {
  asks(account.command('export'), 'account export', 'npx tollgate account export ada@example.com --json')
    .description('export everything stored about a person')
    .argument('<account>', 'email address or account ID');
  asks(
    account.command('delete'),
    'account delete',
    'npx tollgate account delete ada@example.com',
    (answer) => showAnswer(answer, {}),
    ({ accountId }) => ({ kind: 'account_end', subject: String(accountId) }),
  )
    .description('permanently delete a person; the ledger keeps its entries without a name')
    .argument('<account>', 'email address or account ID');
}

export function addAccounts(accounts: Command): void {
  asks(accounts.command('verify'), 'accounts verify', 'npx tollgate accounts verify', (answer) =>
    showReport('the accounts break their rules; docs/identity-invariants.md explains them.', answer),
  ).description('check that every account, session and sign-in method rests on a proof');
}

export function addMembers(member: Command): void {
  const add = within(
    asks(
      member.command('add'),
      'member add',
      'npx tollgate member add --workspace ACME --email ada@acme.example --role owner',
    ),
  ).description('add a member, or print an invitation link to hand over');
  needs(add, '--email <address>', 'who').option('--role <role>', 'owner, developer or viewer; default owner');
  within(asks(member.command('list'), 'member list', 'npx tollgate member list')).description(
    'list members and their roles',
  );
}
