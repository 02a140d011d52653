import type { FieldErrors } from "../ui/field.tsx";
import type { EventFields } from "./event-fields.ts";

/** A form of an event as its screen keeps it. */
export type Editing = {
  fields: EventFields;
  /** What is wrong with them. */
  errors: FieldErrors;
  onFields: (fields: EventFields) => void;
};

/** What a control needs of its field: the value, what is wrong with it, and to tell of every change. */
export type Bind = ReturnType<typeof bindFields>;

export function bindFields({ fields, errors, onFields }: Editing) {
  return (name: keyof EventFields) => ({
    name,
    id: `event-${name}`,
    value: fields[name],
    onValue: (value: string) => onFields({ ...fields, [name]: value }),
    errors: errors[name],
  });
}
