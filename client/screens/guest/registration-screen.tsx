import { Form, Link, useActionData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { AcceptTerms } from "#client/sign-ins/accept-terms.tsx";
import { EmailField } from "#client/sign-ins/email-field.tsx";
import * as texts from "#client/sign-ins/guest-texts.ts";
import { PasswordField } from "#client/sign-ins/password-field.tsx";
import { RememberMe } from "#client/sign-ins/remember-me.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import { BackToLive, GuestBalanceNote } from "./guest-screen.tsx";
import type { RegistrationRefusal } from "./register.ts";

/** The form of a new account, for guests and new visitors. Works without JavaScript too. */
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
