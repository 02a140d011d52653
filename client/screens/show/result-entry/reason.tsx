import * as words from "#client/base/format/words.ts";
import { Field } from "#client/ui/field.tsx";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";

/** The field for the operator's reason. */
export function Reason({ id, required }: { id: string; required?: true }) {
  return (
    <Field
      id={id}
      label={required === true ? words.reason : "Reason, if you like"}
      name="reason"
      type="textarea"
      maxLength={REASON_LENGTH_MAX}
      hint="Players read it."
      {...(required === true ? {} : { optional: true as const })}
    />
  );
}
