import { Form, Link, useActionData, useNavigation } from "react-router";
import { usePage } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Newcomer } from "../guest/newcomer.tsx";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { DemoSignIns } from "./demo-sign-ins.tsx";
import { SignInNotes } from "./sign-in-notes.tsx";
import type { SignInRefusal } from "./sign-in.ts";

/** Email and password; the form works without script too. */
export function SignInScreen() {
  const refusal = useActionData<SignInRefusal>();
  const busy = useNavigation().state === "submitting";
  return (
    <Cover>
      <section className="dialog">
        <Form method="post">
          <h1>Say it before it happens.</h1>
          <SignInNotes refusal={refusal} />
          <CsrfField />
          <Field
            label="Email"
            name="user[email]"
            type="email"
            autoComplete="username"
            value={refusal?.email ?? ""}
            errors={refusal?.errors["email"]}
          />
          <Field
            label="Password"
            name="user[password]"
            type="password"
            autoComplete="current-password"
            errors={refusal?.errors["password"]}
          />
          <label className="check">
            <input type="checkbox" name="user[remember_me]" value="1" defaultChecked />
            Remember me
          </label>
          <button className="btn primary lg wide" type="submit" aria-disabled={busy}>
            Sign in
          </button>
        </Form>
        <p className="small ink2">
          <Link to="/users/password">Forgot your password?</Link>
        </p>
        <Newcomer />
      </section>
      {usePage().demo ? <DemoSignIns /> : null}
    </Cover>
  );
}
