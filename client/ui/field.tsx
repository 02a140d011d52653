import type { ComponentProps } from "react";
import { type LabelProps, ariaOf, idOf, Labelled } from "./labelled.tsx";

/** What is wrong, by field. */
export type FieldErrors = Record<string, string[]>;

type FieldProps = LabelProps & {
  name: string;
  /** One line of text where nothing else is said. */
  type?: "text" | "email" | "password" | "number" | "search" | "tel" | "datetime-local" | "textarea";
  /** What the field starts with; with `onValue`, what it holds now. */
  value?: string;
  /** Hears every change; the screen then keeps the value. */
  onValue?: ((value: string) => void) | undefined;
  /** It may stay empty. */
  optional?: true;
  /** Lines of a textarea. */
  rows?: number;
} & Pick<
    ComponentProps<"input">,
    "autoComplete" | "inputMode" | "max" | "maxLength" | "min" | "placeholder" | "step"
  >;

/** A labelled input or textarea; its hint and what is wrong with it stand below and are read with it. */
export function Field(props: FieldProps) {
  const { label, name, id = idOf(name), hint, errors } = props;
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <Control {...props} id={id} />
    </Labelled>
  );
}

function Control(props: FieldProps & { id: string }) {
  const { label: _label, type = "text", value = "", onValue, optional, hint, errors, ...rest } = props;
  const { rows = 2, placeholder, maxLength, id, name, ...ofInput } = rest;
  const shared = {
    id,
    name,
    className: "input",
    required: optional !== true,
    placeholder,
    maxLength,
    ...ariaOf(id, { hint, errors }),
    ...held(value, onValue),
  };
  if (type === "textarea") return <textarea {...shared} rows={rows} />;
  return <input autoComplete="off" {...ofInput} {...shared} type={type} />;
}

type Typed = { currentTarget: { value: string } };

/** The form keeps the value, or the screen does where it hears of every change. */
function held(value: string, onValue: ((value: string) => void) | undefined) {
  if (onValue === undefined) return { defaultValue: value };
  return { value, onChange: ({ currentTarget }: Typed) => onValue(currentTarget.value) };
}
