// How the operator of the service credits a payment: the command, complete but for the amount and the payment's name.
import type { Application } from '../../applications/application.ts';
import { Copyable } from '../../page/copyable.tsx';

export function OperatorCredit({ application }: { application: Pick<Application, 'id'> }) {
  return (
    <div class="stack-tight">
      <p class="fine">
        Pay as agreed with the operator, who then runs this command with the amount and a reference for the
        payment. The same reference is never credited twice.
      </p>
      <Copyable
        label="Command for the operator"
        value={`npx tollgate credit ${application.id} 25.00 --reference invoice-1`}
      />
    </div>
  );
}
