import { Form, Link, useActionData, useLoaderData } from "react-router";
import { DISPLAY_NAME_LENGTH_MAX } from "#src/sessions/contract.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { useViewer } from "../context.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { Moment } from "../ui/time.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import type { JoinRefused } from "./join-session.ts";
import type { SessionData } from "./load-session.ts";
import * as texts from "./sessions-texts.ts";

/** Joins a session: the player gets a notification when it goes live. */
export function JoinScreen() {
  const { session } = useLoaderData<SessionData>();
  return (
    <PageLayout title={texts.joinSession(session.name)}>
      {session.state === "stopped" ? <Over slug={session.slug} /> : <JoinForm session={session} />}
    </PageLayout>
  );
}

function JoinForm({ session }: { session: SessionView }) {
  const refused = useActionData<JoinRefused>();
  const form = useErrorFocus<HTMLFormElement>(refused);
  const viewer = useViewer();
  const nameErrors = refused?.errors["displayName"];
  return (
    <section className="panel pad slim">
      <p className="ink2">
        <When at={session.startsAt} /> {texts.joinSummary(session.eventsCount, session.registrationsCount)}
      </p>
      <Form className="stack" method="post" ref={form}>
        <CsrfField />
        {refused === undefined || nameErrors !== undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
        <Field
          label={texts.displayName}
          name="display_name"
          value={refused?.displayName ?? viewer?.username ?? ""}
          maxLength={DISPLAY_NAME_LENGTH_MAX}
          errors={nameErrors}
        />
        <Submit>{texts.join}</Submit>
      </Form>
      <p className="small ink2">{texts.joinHint}</p>
    </section>
  );
}

function When({ at }: { at: string | null }) {
  if (at === null) return texts.notPlannedYet;
  return (
    <>
      <Moment at={at} />.
    </>
  );
}

function Over({ slug }: { slug: string }) {
  return (
    <section className="panel">
      <EmptyState icon="slip" title={texts.sessionOver}>
        <Link className="btn primary" to={`/sessions/${slug}/leaders`}>
          {texts.seeTheLeaders}
        </Link>
      </EmptyState>
    </section>
  );
}
