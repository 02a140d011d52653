import { Form, Link, useActionData, useLoaderData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import type { SessionData } from "#client/sessions/load-session.ts";
import * as texts from "#client/sessions/sessions-texts.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { JoinRefused } from "./join-session.ts";

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
        <When session={session} /> {texts.joinSummary(session.eventsCount, session.registrationsCount)}
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

function When({ session: { state, startsAt: at } }: { session: SessionView }) {
  if (state !== "pending") return `${texts.liveNowWord}.`;
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
