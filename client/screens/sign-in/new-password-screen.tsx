import { Form, Link, useActionData, useLoaderData } from "react-router";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import * as texts from "#client/sign-ins/sign-in-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import type { NewPasswordData } from "./load-new-password.ts";

/** The page of the mail for a new password. */
export function NewPasswordScreen() {
  const { refusal: linkRefusal } = useLoaderData<NewPasswordData>();
  const refused = useActionData<Refused>();
  const form = useErrorFocus<HTMLFormElement>(refused);
  if (linkRefusal !== null) return <InvalidLink why={linkRefusal} />;
  const atField = refused?.errors["password"] ?? refused?.errors["passwordConfirmation"];
  return (
    <Cover>
      <Form className="dialog" method="post" ref={form}>
        <h1>{texts.chooseANewPassword}</h1>
        {refused === undefined || atField !== undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <CsrfField />
        <NewPasswordFields errors={refused?.errors ?? {}} />
        <Submit className="btn primary lg wide">{texts.changeMyPassword}</Submit>
        <p className="small ink2">{texts.changePasswordHint}</p>
      </Form>
    </Cover>
  );
}

function InvalidLink({ why }: { why: string }) {
  return (
    <Cover>
      <section className="dialog">
        <h1>{texts.chooseANewPassword}</h1>
        <Note tone="bad">{why}</Note>
        <Link className="btn primary lg wide" to="/users/password">
          {texts.askForANewLink}
        </Link>
        <p className="small ink2">
          <Link to="/users/sign_in">{texts.signIn}</Link>
        </p>
      </section>
    </Cover>
  );
}
