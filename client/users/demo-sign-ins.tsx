import { Form } from "react-router";
import { CsrfField } from "../frame/csrf-field.tsx";

/** The players that a demo is seeded with; all have the same password. */
const DEMO_PASSWORD = "called-it-demo";
const demoPlayers = [
  { name: "Ana", email: "ana@example.test", role: "plays" },
  { name: "Ben", email: "ben@example.test", role: "plays" },
  { name: "Cleo", email: "cleo@example.test", role: "plays" },
  { name: "Admin", email: "admin@example.test", role: "runs the show" },
] as const;

/** One tap into the demo. */
export function DemoSignIns() {
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
