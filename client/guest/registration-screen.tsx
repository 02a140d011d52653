import { Form, Link, useActionData } from "react-router";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { AcceptTerms } from "../terms/accept-terms.tsx";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { EmailField } from "../users/email-field.tsx";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { GuestBalanceNote } from "./guest-screen.tsx";
import type { RegistrationRefusal } from "./register.ts";

/** The form of a new account, for guests and new visitors. Works without script too. */
export function RegistrationScreen() {
  const refusal = useActionData<RegistrationRefusal>();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  const guest = useViewer()?.guest === true;
  return (
    <Cover corner={<BalanceChip />}>
      <Form className="dialog" method="post" ref={form}>
        <h1>{guest ? "Finish your account" : "Create your account"}</h1>
        {refusal === undefined ? <GuestBalanceNote /> : <Note tone="bad">{summaryOf(refusal)}</Note>}
        <CsrfField />
        <Fields refusal={refusal} />
        <Submit className="btn primary lg wide">Create Account</Submit>
        {guest ? null : (
          <p className="small ink2">
            You have an account? <Link to="/users/sign_in">Sign in</Link>
          </p>
        )}
      </Form>
    </Cover>
  );
}

/** Errors of single fields are shown at the fields; other refusals above the form. */
function summaryOf({ refusal, errors }: RegistrationRefusal): string {
  return Object.keys(errors).length > 0 ? "Not yet. Look at what is marked below." : refusal;
}

function Fields({ refusal }: { refusal: RegistrationRefusal | undefined }) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <EmailField autoComplete="email" refusal={refusal} />
      <Field
        label="Username"
        name="user[username]"
        autoComplete="username"
        maxLength={20}
        hint="3 to 20 letters, digits or underscores."
        value={refusal?.username ?? ""}
        errors={errors["username"]}
      />
      <Field
        label="Password"
        name="user[password]"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        errors={errors["password"]}
      />
      <Field
        label="Password again"
        name="user[password_confirmation]"
        type="password"
        autoComplete="new-password"
        errors={errors["passwordConfirmation"]}
      />
      <AcceptTerms accepted={refusal?.terms ?? false} errors={errors["terms"]} />
    </>
  );
}
