import { Link, redirect, useActionData, useLoaderData } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import { loadSession, type SessionData, sessionPath } from "#client/sessions/load-session.ts";
import { loadTeams } from "#client/teams/load-teams.ts";
import { Choice } from "#client/ui/choice.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
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
  const refused = useActionData<RefusedForm<typeof fields>>();
  const viewer = useViewer();
  const bind = boundTo(refused, { displayName: viewer?.username });
  return (
    <section className="panel pad slim">
      <BrandBand brand={session.settings.brand} name={session.name} />
      <p className="ink2">
        <When session={session} />{" "}
        {`${countOf(session.eventsCount, "question")}, ${session.registrationsCount} joined.`}
      </p>
      <PostForm className="stack" refused={refused}>
        <Refusal refused={refused} unless={["displayName"]} />
        <Field label="Display name" maxLength={DISPLAY_NAME_LENGTH_MAX} {...bind("displayName")} />
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
    <EmptyPanel icon="slip" title="This session is over">
      <Link className="btn primary" to={`/sessions/${slug}/leaders`}>
        See the leaders
      </Link>
    </EmptyPanel>
  );
}

const fields = { displayName: "text", team: "number" } as const;

/** Joins the session under the form's display name, and goes on to its Action screen. */
export const joinSession = formAction(fields, async (registration, { api, params }) => {
  const path = sessionPath(params["slug"]);
  await api.post(`${path}/registrations`, { registration });
  return path.replace("/api/v1", "");
});

/** `teams`: those to choose from; null in a session without teams. */
type JoinData = SessionData & { teams: OfferedTeams | null };

/** Loads the session to join. Players who have joined already are redirected to its Action screen. */
export async function loadJoin(args: LoaderArgs): Promise<JoinData> {
  const data = await loadSession(args);
  if (data.session.registered) throw redirect(`/sessions/${data.session.slug}`);
  const answer = await loadTeams(args);
  if (answer === null) return { ...data, teams: null };
  const teams = answer.teams.toSorted((one, other) => one.number - other.number);
  return { ...data, teams: { teams, suggested: answer.suggested } };
}
