import type { EventFields } from "#client/blueprints/event-fields.ts";
import type { FieldErrors } from "#client/ui/field.tsx";

/** The state of an event's form. */
export type Editing = {
  fields: EventFields;
  errors: FieldErrors;
  onFields: (fields: EventFields) => void;
};

/** Makes the props that bind a control to a field: its value, its errors and its change handler. */
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
