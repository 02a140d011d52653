import { Link, useActionData } from "react-router";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { SessionRefused } from "./create-session.ts";
import { emptyFields } from "./session-fields.ts";
import * as texts from "./session-form-texts.ts";
import { SessionForm } from "./session-form.tsx";

/** Creates a session without a blueprint; its events are added by hand. */
export function NewSessionScreen() {
  const refused = useActionData<SessionRefused>();
  return (
    <PageLayout title={texts.newSession}>
      <div className="stack" ref={useErrorFocus<HTMLDivElement>(refused)}>
        {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <SessionForm fields={refused?.fields ?? emptyFields} errors={refused?.errors ?? {}} withSlug>
          <Submit>{texts.createTheSession}</Submit>
          <Link className="btn" to="/sessions">
            {texts.cancel}
          </Link>
        </SessionForm>
      </div>
    </PageLayout>
  );
}
