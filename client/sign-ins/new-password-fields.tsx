import { PASSWORD_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { Field, type FieldErrors } from "../ui/field.tsx";
import * as texts from "./sign-in-texts.ts";

/** A new password, typed twice. */
export function NewPasswordFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <Field
        label={texts.newPassword}
        name="user[password]"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
        hint={texts.passwordRules}
        errors={errors["password"]}
      />
      <Field
        label={texts.newPasswordAgain}
        name="user[password_confirmation]"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
        errors={errors["passwordConfirmation"]}
      />
    </>
  );
}
