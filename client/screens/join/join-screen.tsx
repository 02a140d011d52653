import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { apiContext, useViewer } from "#client/base/page/context.ts";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import { loadSession, type SessionData, sessionPath } from "#client/sessions/load-session.ts";
import { loadTeams } from "#client/teams/load-teams.ts";
import { Choice } from "#client/ui/choice.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { PostForm, Refusal } from "#client/ui/post-form.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { say } from "#src/http/contract.ts";
import type { OfferedTeams } from "#src/play/teams/schemas.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** Joins a session: the player gets a notification when it goes live. */
export function JoinScreen() {
  const { session, teams } = useLoaderData<JoinData>();
  return (
    <PageLayout title={say`Join ${session.name}`}>
      <Entrance session={session} teams={teams} />
    </PageLayout>
  );
}

function Entrance({ session, teams }: JoinData) {
  if (session.state === "stopped") return <Over slug={session.slug} />;
  if (session.settings.locked) return <Note tone="warn">{words.lockedRoom}</Note>;
  return <JoinForm session={session} teams={teams} />;
}

function JoinForm({ session, teams }: JoinData) {
  const refused = useActionData<JoinRefused>();
  const viewer = useViewer();
  const nameErrors = refused?.errors["displayName"];
  return (
    <section className="panel pad slim">
      <BrandBand brand={session.settings.brand} name={session.name} />
      <p className="ink2">
        <When session={session} />{" "}
        {`${countOf(session.eventsCount, "question")}, ${session.registrationsCount} joined.`}
      </p>
      <PostForm className="stack" refused={refused}>
        <Refusal refused={refused} unless={["displayName"]} />
        <Field
          label="Display name"
          name="display_name"
          value={refused?.displayName ?? viewer?.username ?? ""}
          maxLength={DISPLAY_NAME_LENGTH_MAX}
          errors={nameErrors}
        />
        {teams === null ? null : (
          <Choice
            label="Your team"
            name="team"
            value={String(teams.suggested)}
            options={teams.teams.map(({ number, name, membersCount }) => ({
              value: String(number),
              label: say`${name}, ${countOf(membersCount, "player")}`,
            }))}
          />
        )}
        <Submit>{words.join}</Submit>
      </PostForm>
      <p className="small ink2">
        You get a message when it starts. You can also just make a call: that joins you too.
      </p>
    </section>
  );
}

function When({ session: { state, startsAt: at } }: { session: SessionView }) {
  if (state !== "pending") return `${words.liveNow}.`;
  if (at === null) return words.startsByHost;
  return (
    <>
      <Moment at={at} />.
    </>
  );
}

function Over({ slug }: { slug: string }) {
  return (
    <section className="panel">
      <EmptyState icon="slip" title="This session is over">
        <Link className="btn primary" to={`/sessions/${slug}/leaders`}>
          See the leaders
        </Link>
      </EmptyState>
    </section>
  );
}

type JoinRefused = Refused & { displayName: string };

/** Joins the session under the form's display name, and redirects to its Action screen. */
export async function joinSession({ context, params, request }: ActionFunctionArgs) {
  const { displayName, team } = readForm(await request.formData(), { displayName: "text", team: "number" });
  const path = sessionPath(params["slug"]);
  try {
    await context.get(apiContext).post(`${path}/registrations`, { registration: { displayName, team } });
  } catch (error) {
    return refuseForm<JoinRefused>(error, { displayName });
  }
  return seeOther(path.replace("/api/v1", ""));
}

/** `teams`: those to choose from; null in a session without teams. */
type JoinData = SessionData & { teams: OfferedTeams | null };

/** Loads the session to join. Players who have joined already are redirected to its Action screen. */
export async function loadJoin(args: LoaderFunctionArgs): Promise<JoinData> {
  const data = await loadSession(args);
  if (data.session.registered) throw redirect(`/sessions/${data.session.slug}`);
  const answer = await loadTeams(args);
  if (answer === null) return { ...data, teams: null };
  const teams = answer.teams.toSorted((one, other) => one.number - other.number);
  return { ...data, teams: { teams, suggested: answer.suggested } };
}
