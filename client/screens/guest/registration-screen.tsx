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
import { chosenName } from "./chosen-name.ts";
import { BackToLive, GuestBalanceNote } from "./guest-screen.tsx";
import type { RegistrationRefusal } from "./register.ts";

/** The form of a new account, for guests and new visitors. Works without JavaScript too. */
export function RegistrationScreen() {
  const refusal = useActionData<RegistrationRefusal>();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  const viewer = useViewer();
  const guest = viewer?.guest === true;
  return (
    <Cover corner={<BalanceChip />}>
      <Form className="dialog" method="post" ref={form}>
        <h1>{guest ? texts.finishTitle : texts.createTitle}</h1>
        {refusal === undefined ? <GuestBalanceNote /> : <Note tone="bad">{summaryOf(refusal)}</Note>}
        <CsrfField />
        {guest ? <GuestFields refusal={refusal} name={chosenName(viewer)} /> : <Fields refusal={refusal} />}
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

type FieldsProps = { refusal: RegistrationRefusal | undefined };

function Fields({ refusal }: FieldsProps) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <EmailField autoComplete="email" refusal={refusal} />
      <UsernameField refusal={refusal} value="" />
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

/** One field more than the name. A guest is remembered by this browser already, and can choose a password now or later. */
function GuestFields({ refusal, name }: FieldsProps & { name: string }) {
  const errors = refusal?.errors ?? {};
  return (
    <>
      <UsernameField refusal={refusal} value={name} />
      <EmailField autoComplete="email" refusal={refusal} />
      <details className="fold stack" open={errors["password"] !== undefined}>
        <summary className="small">{texts.passwordLater}</summary>
        <PasswordField
          label={texts.password}
          name="user[password]"
          hint={texts.passwordHint}
          errors={errors["password"]}
          optional
        />
      </details>
      <p className="small ink2">{texts.passwordLaterHint}</p>
      <input type="hidden" name="user[remember_me]" value="1" />
      <AcceptTerms accepted={refusal?.terms ?? false} errors={errors["terms"]} />
    </>
  );
}

function UsernameField({ refusal, value }: FieldsProps & { value: string }) {
  return (
    <Field
      label={texts.username}
      name="user[username]"
      autoComplete="username"
      maxLength={USERNAME_LENGTH_MAX}
      hint={texts.usernameHint}
      value={refusal?.username ?? value}
      errors={refusal?.errors["username"]}
    />
  );
}
