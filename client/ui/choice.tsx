import { valueProps } from "./field.tsx";
import { type LabelProps, ariaOf, idOf, Labelled } from "./labelled.tsx";

type ChoiceProps = LabelProps & {
  name: string;
  options: readonly { value: string; label: string }[];
  /** The first value; with `onValue`, the current value. */
  value?: string;
  /** Called on every change. The screen then holds the value. */
  onValue?: (value: string) => void;
};

export function Choice({
  label,
  name,
  options,
  value = "",
  onValue,
  id = idOf(name),
  hint,
  errors,
}: ChoiceProps) {
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <select
        className="input"
        id={id}
        name={name}
        {...valueProps(value, onValue)}
        {...ariaOf(id, { hint, errors })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
