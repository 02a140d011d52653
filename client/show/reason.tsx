import { kept } from "../kept.ts";
import { Field } from "../ui/field.tsx";

const REASON_LENGTH_MAX = 500;

/** The field for the operator's reason. */
export const Reason = kept(function Reason({ id, required }: { id: string; required?: true }) {
  return (
    <Field
      id={id}
      label={required === true ? "Reason" : "Reason, if you like"}
      name="reason"
      type="textarea"
      maxLength={REASON_LENGTH_MAX}
      hint="Players read it."
      {...(required === true ? {} : { optional: true as const })}
    />
  );
});
