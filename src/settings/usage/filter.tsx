// The choices of the usage page, and the way to a trace by its name. Plain GET forms: what is chosen is in the address.
import { usageDays } from '../../limits/usage.ts';
import { SelectField } from '../../page/choice-field.tsx';
import { TextField } from '../../page/field.tsx';
import { Tabs } from '../../page/tabs.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { type UsageChoice, usageRest } from './query.ts';

const LONGEST_NAME = 64;

export function UsagePeriods({ visit, choice }: { visit: MemberVisit; choice: UsageChoice }) {
  return (
    <Tabs
      label="Period"
      tabs={usageDays.map((days) => ({
        label: `Last ${days} days`,
        path: visit.path(usageRest(choice, { days })),
        isCurrent: days === choice.days,
      }))}
    />
  );
}

export function UsageFilter({ visit, choice }: { visit: MemberVisit; choice: UsageChoice }) {
  const all = { value: '', label: 'All applications' };
  const options = choice.applications.map(({ id, name, isDeleted }) => ({
    value: id,
    label: isDeleted ? `${name} (deleted)` : name,
  }));
  return (
    <section class="panel" aria-label="What to show">
      <form class="filter" method="get" action={visit.path('/usage')}>
        <SelectField
          name="application"
          label="Application"
          value={choice.chosen?.id}
          options={[all, ...options]}
        />
        <input type="hidden" name="days" value={String(choice.days)} />
        <button type="submit" class="button button-secondary">
          Show
        </button>
      </form>
      <TraceSearch visit={visit} />
    </section>
  );
}

export function TraceSearch({ visit, value }: { visit: MemberVisit; value?: string }) {
  return (
    <form class="filter" method="get" action={visit.path('/usage/traces')}>
      <TextField
        name="trace"
        label="Find a sign-in"
        autocomplete="off"
        maximum={LONGEST_NAME}
        value={value}
      />
      <button type="submit" class="button button-secondary">
        Find
      </button>
      <p class="fine">
        The error page shows its trace (trc_…), as does the x-tollgate-trace header of a refused token
        request. Its event (evt_…) is in the API and in webhooks.
      </p>
    </form>
  );
}
