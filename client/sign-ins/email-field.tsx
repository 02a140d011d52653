import * as words from "#client/base/format/words.ts";
import { Field, type FieldErrors } from "../ui/field.tsx";

type EmailFieldProps = {
  label?: string;
  /** "username" where the address signs in (there a browser may offer passkeys too), "email" where it is new. */
  autoComplete: "email" | "username" | "username webauthn";
  /** The refused form: its address and errors are shown again. */
  refusal: { email: string; errors: FieldErrors } | undefined;
};

export function EmailField({ label = words.email, autoComplete, refusal }: EmailFieldProps) {
  return (
    <Field
      label={label}
      name="user[email]"
      type="email"
      autoComplete={autoComplete}
      value={refusal?.email ?? ""}
      errors={refusal?.errors["email"]}
    />
  );
}
