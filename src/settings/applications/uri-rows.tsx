// A list of addresses in a form: one field for each, each with what is wrong with it beside it, one empty field at the
// end, and a button for more of those that works without script.
import { type UriKind, uriProblems } from '../../applications/uri-problems.ts';
import type { FormFields } from '../../http/form.ts';
import { redirectUriCharacters } from '../../limits/applications.ts';
import { Button } from '../../page/button.tsx';
import { UrlField } from '../../page/field.tsx';

export type Row = { value: string; problem?: string | undefined };

const EMPTY: Row = { value: '' };

/** What was typed into the fields of one list, in their order, empty ones left out. */
export function typedRows(kind: UriKind, fields: FormFields): Row[] {
  const typed = Object.entries(fields).flatMap(([name, value]) => {
    const [, of, place] = /^([a-z-]+)-(\d{1,4})$/.exec(name) ?? [];
    return of === kind && value.trim() !== '' ? [{ place: Number(place), value: value.trim() }] : [];
  });
  const values = typed.sort((a, b) => a.place - b.place).map(({ value }) => value);
  const problems = uriProblems(kind, values);
  return values.map((value, index) => ({ value, problem: problems[index] }));
}

export function savedRows(uris: string[]): Row[] {
  return uris.map((value) => ({ value }));
}

export type UriRowsProps = {
  kind: UriKind;
  legend: string;
  /** Of one field: "Callback address". */
  label: string;
  hint: string;
  placeholder: string;
  rows: Row[];
  /** About the whole list. */
  problem?: string | undefined;
  /** Empty fields at the end. */
  spare: number;
};

export function UriRows({ kind, legend, label, hint, placeholder, rows, problem, spare }: UriRowsProps) {
  const shown = [...rows, ...Array.from({ length: spare }, () => EMPTY)];
  return (
    <fieldset class="choices rows" id={kind}>
      <legend class="label">{legend}</legend>
      <p class="fine">{hint}</p>
      {problem && <p class="field-problem">{problem}</p>}
      {shown.map((row, index) => (
        <UrlField
          key={index}
          name={`${kind}-${index + 1}`}
          label={`${label} ${index + 1}`}
          maximum={redirectUriCharacters}
          placeholder={placeholder}
          value={row.value}
          problem={row.problem}
        />
      ))}
      <div class="actions">
        <Button kind="quiet" name="more" value={kind} skipsValidation>
          Add another
        </Button>
      </div>
    </fieldset>
  );
}
