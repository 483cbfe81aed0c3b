// What was deleted some minutes ago, below the list that it was in, for as long as it can be taken back.
import { Button, Form } from '../../page/button.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import type { MemberVisit } from './visit.ts';

type RestorablePanelProps = {
  visit: MemberVisit;
  lead: string;
  /** `rest`: the path of its form. */
  items: { name: string; until: Date; rest: string }[];
};

export function RestorablePanel({ visit, lead, items }: RestorablePanelProps) {
  if (items.length === 0) return null;
  return (
    <Panel heading="Recently deleted" lead={lead}>
      <ul class="money-rows">
        {items.map(({ name, until, rest }) => (
          <li key={rest}>
            <div class="row-words">
              <strong>{name}</strong>
              <span class="fine">
                Gone for good on <Time at={until} />
              </span>
            </div>
            <div class="actions">
              <Form action={visit.path(rest)} token={visit.token(rest)} label={`Restore ${name}`}>
                <Button kind="secondary">Restore</Button>
              </Form>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
