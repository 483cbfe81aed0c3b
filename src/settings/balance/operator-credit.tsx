// What a customer does where no payment provider is set up: the operator of the service credits the payment, and needs to
// know for which application.
import type { Application } from '../../applications/application.ts';
import { Copyable } from '../../page/copyable.tsx';

export function OperatorCredit({ application }: { application: Pick<Application, 'id'> }) {
  return (
    <div class="stack-tight">
      <p class="fine">
        Pay as you have agreed with the operator, and name this application. The balance shows the payment as
        soon as the operator has credited it.
      </p>
      <Copyable label="Application ID" value={application.id} />
    </div>
  );
}
