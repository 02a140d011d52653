import { Field, type FieldErrors } from "../ui/field.tsx";

type EmailFieldProps = {
  label?: string;
  /** "username" where the address signs in, "email" where it is new. */
  autoComplete: "email" | "username";
  /** The refused form: its address and errors are shown again. */
  refusal: { email: string; errors: FieldErrors } | undefined;
};

export function EmailField({ label = "Email", autoComplete, refusal }: EmailFieldProps) {
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
