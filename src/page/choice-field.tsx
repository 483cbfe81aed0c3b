// Fields with given answers: one of a list, yes or no, several of a list. A form may name each field only once
// (src/http/form.ts), so every box has a name of its own.
import { attributes, type FieldProps, FieldWords, Labelled } from './field.tsx';

export type Option = { value: string; label: string };

export function SelectField(props: FieldProps & { options: Option[] }) {
  const { options, value } = props;
  return (
    <Labelled {...props}>
      <select {...attributes({ ...props, value: undefined })}>
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            {...(option.value === (value ?? '') ? { selected: true } : {})}
          >
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export type CheckFieldProps = Pick<FieldProps, 'name' | 'id' | 'label' | 'hint' | 'problem' | 'required'> & {
  checked?: boolean;
};

/** Sends `on`, or nothing. */
export function CheckField(props: CheckFieldProps) {
  const { name, id = name, label, hint, problem, checked } = props;
  return (
    <div class="check">
      <input
        {...attributes(props)}
        class="check-box"
        type="checkbox"
        value="on"
        {...(checked ? { checked: true } : {})}
      />
      <div>
        <label for={id}>{label}</label>
        <FieldWords id={id} problem={problem} hint={hint} />
      </div>
    </div>
  );
}

export type CheckFieldsProps = {
  /** What all of them answer. */
  legend: string;
  hint?: string;
  problem?: string | undefined;
  fields: CheckFieldProps[];
};

export function CheckFields({ legend, hint, problem, fields }: CheckFieldsProps) {
  return (
    <fieldset class="choices">
      <legend class="label">{legend}</legend>
      {problem && <p class="field-problem">{problem}</p>}
      {fields.map((field) => (
        <CheckField key={field.name} {...field} />
      ))}
      {hint && <p class="fine">{hint}</p>}
    </fieldset>
  );
}

export type RadioFieldsProps = {
  name: string;
  legend: string;
  problem?: string | undefined;
  value?: string | undefined;
  options: (Option & { hint?: string })[];
};

export function RadioFields({ name, legend, problem, value, options }: RadioFieldsProps) {
  return (
    <fieldset class="choices">
      <legend class="label">{legend}</legend>
      {problem && <p class="field-problem">{problem}</p>}
      {options.map((option) => (
        <div class="check" key={option.value}>
          <input
            class="check-box"
            type="radio"
            id={`${name}-${option.value}`}
            name={name}
            value={option.value}
            {...(option.value === value ? { checked: true } : {})}
            {...(option.hint ? { 'aria-describedby': `${name}-${option.value}-hint` } : {})}
          />
          <div>
            <label for={`${name}-${option.value}`}>{option.label}</label>
            {option.hint && (
              <p class="fine" id={`${name}-${option.value}-hint`}>
                {option.hint}
              </p>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  );
}
