// The commands about money: what an application has and used, what is credited, corrected and given back, and the proof.
import type { Command } from 'commander';
import type { Answer } from '../operator/operation.ts';
import { asks, needs } from './ask.ts';
import { showAnswer, showReport } from './output.ts';

const WHICH = 'applicationId or Client ID';

export function addMoney(program: Command): void {
  asks(program.command('balance'), 'balance', 'npx tollgate balance client_0192…')
    .description('show the OAuth balance of an application')
    .argument('<application>', WHICH);
  asks(program.command('usage'), 'usage', 'npx tollgate usage client_0192… --days 30')
    .description('show registrations, sign-ins and cost of an application, day by day (UTC)')
    .argument('<application>', WHICH)
    .option('--days <count>', 'how many, today included; default 7');
  const credit = asks(
    program.command('credit'),
    'credit',
    'npx tollgate credit client_0192… 25.00 --reference invoice-2026-117',
    showCredit,
  )
    .description('top up the OAuth balance of an application, once per reference')
    .argument('<application>', WHICH)
    .argument('<amount>', "in the workspace's currency, at most six decimals");
  needs(credit, '--reference <text>', "the payment's own name; the same one is never credited twice").option(
    '--reason <text>',
    'kept with the transfer',
  );
  addCorrections(program);
  asks(
    program.command('ledger').description('the books').command('verify'),
    'ledger verify',
    'npx tollgate ledger verify',
    (answer) => showReport('the ledger does not add up.', answer),
  ).description('check that balances, transfers and usage events agree');
}

function addCorrections(program: Command): void {
  const correct = asks(
    program.command('correct'),
    'correct',
    'npx tollgate correct --application client_0192… --amount -5.00 --reason "Credited twice by hand"',
    (answer) => showOnce(answer, answer.corrected, 'corrected'),
  ).description('correct an application’s balance with a separate entry; never below zero');
  needs(correct, '--application <id>', WHICH);
  needs(correct, '--amount <amount>', 'amount to add, or with a minus sign to remove');
  needs(correct, '--reason <text>', 'shown to the company on its statement').option(
    '--reference <text>',
    'a name of your own; the same one never corrects twice',
  );
  const refund = asks(program.command('refund'), 'refund', 'npx tollgate refund evt_0192… --reason "Outage"')
    .description('refund the price of one event, once')
    .argument('<event>', 'id of the registration or sign-in');
  needs(refund, '--reason <text>', 'shown to the company on its statement');
}

function showCredit(answer: Answer): void {
  showOnce(answer, answer.credited, 'credited');
}

/** The same reference again is no mistake, but whoever sent it should not think that money moved. */
function showOnce(answer: Answer, isNew: unknown, done: string): void {
  if (isNew !== false) {
    showAnswer(answer, {});
    return;
  }
  const { balance, currency } = answer;
  console.log(`This reference was ${done} before: nothing was added. The balance is ${balance} ${currency}.`);
}
