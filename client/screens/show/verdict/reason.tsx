import { Field } from "#client/ui/field.tsx";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import * as texts from "../texts/form-texts.ts";

/** The field for the operator's reason. */
export function Reason({ id, required }: { id: string; required?: true }) {
  return (
    <Field
      id={id}
      label={required === true ? texts.reason : texts.optionalReason}
      name="reason"
      type="textarea"
      maxLength={REASON_LENGTH_MAX}
      hint={texts.reasonHint}
      {...(required === true ? {} : { optional: true as const })}
    />
  );
}
