import { Form, Link, useActionData } from "react-router";
import { USERNAME_LENGTH_MAX } from "#src/users/contract.ts";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { AcceptTerms } from "../terms/accept-terms.tsx";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { EmailField } from "../users/email-field.tsx";
import { PasswordField } from "../users/password-field.tsx";
import { RememberMe } from "../users/remember-me.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { BackToLive, GuestBalanceNote } from "./guest-screen.tsx";
import * as texts from "./guest-texts.ts";
import type { RegistrationRefusal } from "./register.ts";

/** The form of a new account, for guests and new visitors. Works without script too. */
export function RegistrationScreen() {
  const refusal = useActionData<RegistrationRefusal>();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  const guest = useViewer()?.guest === true;
  return (
    <Cover corner={<BalanceChip />}>
      <Form className="dialog" method="post" ref={form}>
        <h1>{guest ? texts.finishTitle : texts.createTitle}</h1>
        {refusal === undefined ? <GuestBalanceNote /> : <Note tone="bad">{summaryOf(refusal)}</Note>}
        <CsrfField />
        <Fields refusal={refusal} />
        <Submit className="btn primary lg wide">{texts.createAccount}</Submit>
        {guest ? (
          <BackToLive />
        ) : (
          <p className="small ink2">
            {texts.haveAccount} <Link to="/users/sign_in">{texts.signIn}</Link>
          </p>
        )}
      </Form>
    </Cover>
  );
}

/** Errors of single fields are shown at the fields; other refusals above the form. */
function summaryOf({ refusal, errors }: RegistrationRefusal): string {
  return Object.keys(errors).length > 0 ? texts.checkFields : refusal;
}

function Fields({ refusal }: { refusal: RegistrationRefusal | undefined }) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <EmailField autoComplete="email" refusal={refusal} />
      <Field
        label={texts.username}
        name="user[username]"
        autoComplete="username"
        maxLength={USERNAME_LENGTH_MAX}
        hint={texts.usernameHint}
        value={refusal?.username ?? ""}
        errors={errors["username"]}
      />
      <PasswordField
        label={texts.password}
        name="user[password]"
        hint={texts.passwordHint}
        errors={errors["password"]}
      />
      <RememberMe checked={refusal?.rememberMe} />
      <AcceptTerms accepted={refusal?.terms ?? false} errors={errors["terms"]} />
    </>
  );
}
