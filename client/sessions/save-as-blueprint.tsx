import { Form } from "react-router";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Submit } from "../ui/submit.tsx";

/** Makes a blueprint of what a session has asked, and opens it. A refusal is shown where blueprints are made. */
export function SaveAsBlueprint({ session, className }: { session: SessionView; className: string }) {
  return (
    <Form method="post" action="/blueprints/new">
      <CsrfField />
      <input type="hidden" name="session" value={session.slug} />
      <Submit intent="from_session" className={className}>
        Save as blueprint
        <span className="vh">: {session.name}</span>
      </Submit>
    </Form>
  );
}
