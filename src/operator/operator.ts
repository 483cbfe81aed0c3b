// Everything that an operator can do to a Tollgate, by the words of the command line. The operations are plain
// functions over the database; who may call them is decided by who can open the data directory or the database.

import { TollgateError } from '../errors.ts';
import { apiOperations } from './apis.ts';
import { applicationOperations } from './applications.ts';
import { assuranceOperations } from './assurance.ts';
import { companyOperations } from './companies.ts';
import { figureOperations } from './figures.ts';
import { keyOperations } from './keys.ts';
import { memberOperations } from './members.ts';
import { moneyOperations } from './money.ts';
import type { Answer, Operation, OperatorDependencies } from './operation.ts';
import { peopleOperations } from './people.ts';
import { webhookOperations } from './webhooks.ts';
import { workOperations } from './work.ts';

export type Operator = (operation: string, input: unknown) => Promise<Answer>;

const operations: Record<string, Operation> = {
  ...companyOperations,
  ...applicationOperations,
  ...assuranceOperations,
  ...apiOperations,
  ...figureOperations,
  ...memberOperations,
  ...moneyOperations,
  ...keyOperations,
  ...peopleOperations,
  ...webhookOperations,
  ...workOperations,
};

export function createOperator(deps: OperatorDependencies): Operator {
  return async (name, input) => {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    // A newer command line against an older service.
    if (!operation) throw new TollgateError('not_found', `Unknown operation "${name}".`);
    return operation(deps, input);
  };
}
