import { PASSWORD_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { Field, type FieldErrors } from "../ui/field.tsx";

export function NewPasswordFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <Field
        label="New password"
        name="user[password]"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
        hint="At least 8 characters. A few words in a row are good."
        errors={errors["password"]}
      />
      <Field
        label="New password again"
        name="user[password_confirmation]"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
        errors={errors["passwordConfirmation"]}
      />
    </>
  );
}
