import { Link, useActionData } from "react-router";
import { emptyFields } from "#client/sessions/session-fields.ts";
import * as texts from "#client/sessions/session-form-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import type { SessionRefused } from "./create-session.ts";
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
