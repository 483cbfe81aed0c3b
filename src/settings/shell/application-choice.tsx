// "All applications" or some of them: the same fields for an API key and a webhook subscription. A box has the id of
// its application in its name, since a form names each field once.
import type { FormFields } from '../../http/form.ts';
import { CheckFields, RadioFields } from '../../page/choice-field.tsx';

/** What the form says; whether the ids are the workspace's own is the room's to decide. */
export function readApplicationChoice(fields: FormFields): string[] | null {
  if (fields.applications === 'all') return null;
  return Object.keys(fields).flatMap((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : []));
}

const PREFIX = 'application_';

export type ApplicationChoiceProps = {
  applications: { id: string; name: string }[];
  /** null: all of them. */
  chosen: string[] | null;
  /** What the choice is about: "May read", "Events of". */
  legend: string;
  problem: string | undefined;
};

export function ApplicationChoice({ applications, chosen, legend, problem }: ApplicationChoiceProps) {
  return (
    <>
      <RadioFields
        name="applications"
        legend={legend}
        value={chosen === null ? 'all' : 'chosen'}
        problem={problem}
        options={[
          { value: 'all', label: 'All applications', hint: 'Including those you create later.' },
          { value: 'chosen', label: 'Only selected applications' },
        ]}
      />
      {applications.length > 0 && (
        <CheckFields
          legend="Applications"
          fields={applications.map(({ id, name }) => ({
            name: `${PREFIX}${id}`,
            label: name,
            checked: chosen?.includes(id) ?? false,
          }))}
        />
      )}
    </>
  );
}

/** "All applications", or their names; a deleted one is left out, because nothing can be read of it any more. */
export function nameApplications(
  applications: { id: string; name: string }[],
  chosen: string[] | null,
): string {
  if (chosen === null) return 'All applications';
  const names = applications.filter(({ id }) => chosen.includes(id)).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : 'None that still exist';
}
