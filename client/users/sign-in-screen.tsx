import { Form, Link, useActionData, useLoaderData, useNavigation, useSearchParams } from "react-router";
import { usePage } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Newcomer } from "../guest/newcomer.tsx";
import { Cover } from "../ui/cover.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { EmailField } from "./email-field.tsx";
import type { SignInData } from "./load-sign-in.ts";
import type { SignInRefusal } from "./sign-in.ts";

/** Email and password. The form works without script too. */
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
          <EmailField autoComplete="username" refusal={refusal} />
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

/** The users of the seeded demo. All have the same password. */
const DEMO_PASSWORD = "called-it-demo";
const demoPlayers = [
  { name: "Ana", email: "ana@example.test", role: "plays" },
  { name: "Ben", email: "ben@example.test", role: "plays" },
  { name: "Cleo", email: "cleo@example.test", role: "plays" },
  { name: "Admin", email: "admin@example.test", role: "runs the show" },
] as const;

/** Signs in to the demo by one tap. */
function DemoSignIns() {
  return (
    <section className="demo" aria-label="Demo sign-ins">
      <p className="small">
        This is a demo with play money. Come in as one of its people, password <code>{DEMO_PASSWORD}</code>.
      </p>
      <Form className="row wrap" method="post">
        <CsrfField />
        <input type="hidden" name="user[password]" value={DEMO_PASSWORD} />
        {demoPlayers.map(({ name, email, role }) => (
          <button className="btn sm" key={email} type="submit" name="user[email]" value={email} title={role}>
            {name}
          </button>
        ))}
      </Form>
    </section>
  );
}

/** The action before the redirect to this page, by the query parameter `now`. */
const doneTexts: Record<string, string> = {
  password_changed: "Your password is changed. Sign in with the new one.",
  account_closed: "Your account is closed, and you are signed out.",
};

/** Links after a refusal, by its code. */
const nextLinks: Record<string, { to: string; label: string }> = {
  locked: { to: "/users/unlock", label: "Send me the mail again" },
  unconfirmed: { to: "/users/confirmation", label: "Send me the mail again" },
};

/** Above the form: the refusal, the action before, or why the visitor was sent here. */
function SignInNotes({ refusal }: { refusal: SignInRefusal | undefined }) {
  const { reason } = useLoaderData<SignInData>();
  const [search] = useSearchParams();
  const done = doneTexts[search.get("now") ?? ""];
  if (refusal !== undefined) return <Refusal {...refusal} />;
  if (done !== undefined) return <Note tone="ok">{done}</Note>;
  return reason === null ? null : <Note tone="warn">{reason}</Note>;
}

function Refusal({ error, detail, code }: SignInRefusal) {
  const link = nextLinks[code];
  return (
    <Note tone="bad">
      {error} {detail} {link === undefined ? null : <Link to={link.to}>{link.label}</Link>}
    </Note>
  );
}
