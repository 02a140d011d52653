import {
  type ActionFunctionArgs,
  data,
  Form,
  Link,
  type LoaderFunctionArgs,
  redirectDocument,
  useActionData,
  useLoaderData,
} from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import * as words from "#client/base/format/words.ts";
import { apiContext } from "#client/base/page/context.ts";
import { NewPasswordFields } from "#client/sign-ins/new-password-fields.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import { type Refused, refusedBy } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";

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
        <h1>{words.chooseANewPassword}</h1>
        {refused === undefined || atField !== undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <CsrfField />
        <NewPasswordFields errors={refused?.errors ?? {}} />
        <Submit className="btn primary lg wide">Change my password</Submit>
        <p className="small ink2">Everybody who is signed in to your account is signed out then.</p>
      </Form>
    </Cover>
  );
}

function InvalidLink({ why }: { why: string }) {
  return (
    <Cover>
      <section className="dialog">
        <h1>{words.chooseANewPassword}</h1>
        <Note tone="bad">{why}</Note>
        <Link className="btn primary lg wide" to="/users/password">
          Ask for a new link
        </Link>
        <p className="small ink2">
          <Link to="/users/sign_in">{words.signIn}</Link>
        </p>
      </section>
    </Cover>
  );
}

/** Sets the password that the form holds on the account of the mail's link, which signs a signed-out browser in. */
export async function choosePassword({ context, request }: ActionFunctionArgs) {
  const passwords = readForm(
    await request.formData(),
    { password: "text", passwordConfirmation: "text" },
    inUser,
  );
  const resetPasswordToken = new URL(request.url).searchParams.get("reset_password_token") ?? "";
  let next = "/users/sign_in?now=password_changed";
  try {
    const { user } = await context
      .get(apiContext)
      .put("/users/password", { user: { resetPasswordToken, ...passwords } });
    // An admin begins with the shows; a player may be led to the live one from there, and would not read that it is done.
    if (user !== null)
      next = user.roles.includes("admin")
        ? "/sessions?now=password_changed"
        : "/profile/account?done=password";
  } catch (error) {
    return refuseForm(error, {});
  }
  // A new document: a sign-in that this browser had is over.
  return redirectDocument(next, SEE_OTHER);
}

type NewPasswordData = { refusal: string | null };

/** Checks whether the link of the mail is still valid. Checking does not use it up, because mail scanners open links too. */
export async function loadNewPassword({ context, request }: LoaderFunctionArgs) {
  const secret = new URL(request.url).searchParams.get("reset_password_token");
  try {
    await context.get(apiContext).get("/users/password/edit", { query: { resetPasswordToken: secret } });
    return data<NewPasswordData>({ refusal: null });
  } catch (error) {
    // The API has its own sentence for an address without a link.
    if (error instanceof ApiError && error.body?.code === "reset_token_missing")
      return data<NewPasswordData>({ refusal: error.message }, { status: error.status });
    const { refusal, status } = refusedBy(error);
    return data<NewPasswordData>({ refusal }, { status });
  }
}
