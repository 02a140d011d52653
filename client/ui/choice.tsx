import { type LabelProps, ariaOf, idOf, Labelled } from "./labelled.tsx";

type ChoiceProps = LabelProps & {
  name: string;
  options: readonly { value: string; label: string }[];
  /** What is chosen at first; with `onValue`, what is chosen now. */
  value?: string;
  /** Hears every change; the screen then keeps the value. */
  onValue?: (value: string) => void;
};

/** One of a few, from a list that the browser opens. */
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
  const held =
    onValue === undefined
      ? { defaultValue: value }
      : {
          value,
          onChange: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
        };
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <select className="input" id={id} name={name} {...held} {...ariaOf(id, { hint, errors })}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
