import type { ComponentProps } from "react";
import { charactersAtMost } from "./characters-at-most.ts";
import { type LabelProps, ariaOf, idOf, Labelled } from "./labelled.tsx";

export type FieldErrors = Record<string, string[]>;

type FieldProps = LabelProps & {
  name: string;
  /** "text" by default. */
  type?: "text" | "email" | "password" | "number" | "search" | "tel" | "date" | "datetime-local" | "textarea";
  /** The first value; with `onValue`, the current value. */
  value?: string;
  /** Called on every change. The screen then holds the value. */
  onValue?: ((value: string) => void) | undefined;
  optional?: true;
  /** In characters as people count them. */
  maxLength?: number;
  rows?: number;
} & Pick<ComponentProps<"input">, "autoComplete" | "inputMode" | "max" | "min" | "placeholder" | "step">;

/** A labelled input or textarea. Its hint and errors are shown below it and linked to it for screen readers. */
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
    ...(maxLength === undefined ? {} : charactersAtMost(maxLength)),
    ...ariaOf(id, { hint, errors }),
    ...valueProps(value, onValue),
  };
  if (type === "textarea") return <textarea {...shared} rows={rows} />;
  return <input autoComplete="off" {...ofInput} {...shared} type={type} />;
}

type ChangeEvent = { currentTarget: { value: string } };

/** Without `onValue` the form holds the value, with it the screen does. */
export function valueProps(value: string, onValue: ((value: string) => void) | undefined) {
  if (onValue === undefined) return { defaultValue: value };
  return { value, onChange: ({ currentTarget }: ChangeEvent) => onValue(currentTarget.value) };
}
