import { Link, useActionData, useLoaderData } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { VERSION_FIELD } from "../base-version.ts";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { EditRefused } from "./change-session.ts";
import type { SessionData } from "./load-session.ts";
import { fieldsOf } from "./session-fields.ts";
import { SessionForm } from "./session-form.tsx";

/** Edits a session until it is over, and deletes one that has not started. */
export function EditSessionScreen() {
  const { session } = useLoaderData<SessionData>();
  const refused = useActionData<EditRefused>();
  const over = session.state === "stopped" ? "This session is over. It stays as it was played." : null;
  return (
    <PageLayout title={`Edit ${session.name}`}>
      <div className="stack" ref={useErrorFocus<HTMLDivElement>(refused)}>
        {refused?.refusal === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <SessionForm fields={refused?.fields ?? fieldsOf(session)} errors={refused?.errors ?? {}}>
          <input type="hidden" name={VERSION_FIELD} value={refused?.version ?? session.version} />
          <Submit why={over} intent="save">
            Save
          </Submit>
          <Link className="btn" to={`/sessions/${session.slug}/admin`}>
            Cancel
          </Link>
        </SessionForm>
      </div>
      <Deletion session={session} />
    </PageLayout>
  );
}

function Deletion({ session }: { session: SessionView }) {
  const whyNot = session.state === "pending" ? null : "Only a session that has not started can be deleted.";
  return (
    <section className="panel pad stack beside-form">
      <h2 className="small">Delete</h2>
      <p className="small ink2">
        A session that has not started goes with its actions, as if it had never been planned.
      </p>
      <Confirm
        label="Delete the session"
        className="btn bad"
        why={whyNot}
        title={`Delete ${session.name}?`}
        act={{ label: "Delete", intent: "delete", className: "btn bad" }}
      >
        <p>
          It goes with {countOf(session.eventsCount, "action")}, and its address with it. There is no way
          back.
        </p>
      </Confirm>
    </section>
  );
}
