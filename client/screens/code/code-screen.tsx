import { data, Form, Link, redirect, redirectDocument, useActionData, useLoaderData } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { pageContext, useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { guestFields, PLAY, PlayNow, type PlayRefusal } from "#client/front-door/play-now.tsx";
import { CodeForm } from "#client/join-codes/code-form.tsx";
import { asGuest, fetchSuggestion } from "#client/sign-ins/as-guest.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refusedInForm, refuseForm } from "#client/ui/forms/refused-in-form.ts";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { say } from "#src/http/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { GuestSuggestion } from "#src/people/users/schemas.ts";
import type { OfferedTeams } from "#src/play/teams/schemas.ts";
import type { CodedSession } from "#src/show/join-codes/schemas.ts";

export function CodeScreen() {
  const { typed, proof, session, suggestion, refusal } = useLoaderData<CodeData>();
  return (
    <Cover>
      {session === null ? (
        <section className="dialog">
          <h1>Join a show</h1>
          <CodeForm label="Code" typed={typed} refusal={refusal} />
          <p className="small ink2">
            The code is on the big screen, or your host has it. Upper or lower case, both work.
          </p>
        </section>
      ) : (
        <Found session={session} typed={typed} proof={proof} suggestion={suggestion} />
      )}
    </Cover>
  );
}

type FoundProps = {
  session: CodedSession;
  typed: string;
  proof: string | null;
  suggestion: GuestSuggestion | null;
};

function Found({ session, typed, proof, suggestion }: FoundProps) {
  const refused = useActionData<PlayRefusal>();
  const viewer = useViewer();
  const here = `/join?${new URLSearchParams({ code: typed, ...(proof === null ? {} : { k: proof }) }).toString()}`;
  return (
    <section className="dialog">
      <h1>{session.name}</h1>
      <Brand session={session} />
      <p className="ink2">
        <span>
          <When session={session} />
        </span>{" "}
        {session.private ? <span>A private show: only those with its code find it.</span> : null}
      </p>
      {session.description === "" ? null : <p className="small ink2">{session.description}</p>}
      {session.locked ? <Note tone="warn">{words.lockedRoom}</Note> : null}
      {viewer === null ? (
        <AsVisitor session={session} suggestion={suggestion} here={here} refused={refused} />
      ) : null}
      {viewer === null || session.locked ? null : (
        <Form className="stack" method="post" action={here}>
          {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
          <CsrfField />
          <TeamChoice offered={session} />
          <Submit className="btn primary lg wide">{say`Join as ${viewer.username}`}</Submit>
        </Form>
      )}
      <p className="small ink2">
        <Link to="/join">Another code</Link>
      </p>
    </section>
  );
}

type AsVisitorProps = Pick<FoundProps, "session" | "suggestion"> & {
  here: string;
  refused: PlayRefusal | undefined;
};

function AsVisitor({ session, suggestion, here, refused }: AsVisitorProps) {
  return (
    <>
      {suggestion === null || session.locked ? null : (
        <PlayNow
          to={here}
          label={words.playNow}
          refusal={refused}
          suggestion={suggestion}
          givenName={session.givenNames}
        >
          <TeamChoice offered={session} />
        </PlayNow>
      )}
      <Link
        className="btn ghost wide"
        to={`/users/sign_in?${new URLSearchParams({ return_to: here }).toString()}`}
      >
        I have an account
      </Link>
    </>
  );
}

/** Beside a line of the accent. The band of other pages would cost this one, which a phone opens first, a request more. */
function Brand({ session: { name, brand } }: { session: CodedSession }) {
  if (brand?.logo === undefined && brand?.sponsor === undefined) return null;
  const { accent = "currentcolor", logo, sponsor } = brand;
  return (
    <p className="row" style={{ borderInlineStart: `6px solid ${accent}`, paddingInlineStart: 12 }}>
      {logo === undefined ? null : <img src={logo} alt={sponsor === undefined ? name : ""} height={36} />}
      {sponsor === undefined ? null : <span>{sponsor}</span>}
    </p>
  );
}

function When({ session: { state, startsAt } }: { session: CodedSession }) {
  if (state === "stopped") return "This show is over.";
  if (state !== "pending") return "Live now.";
  if (startsAt === null) return words.startsByHost;
  return (
    <>
      <Moment at={startsAt} />.
    </>
  );
}

/** Joins the session of the code, as a new guest for a visitor who is signed out, and opens its Action screen. */
export async function joinByCode({ api, context, request, url }: ActionArgs) {
  const form = await request.formData();
  const { searchParams } = url;
  const code = form.get("code") ?? searchParams.get("code") ?? "";
  const k = searchParams.get("k") ?? undefined;
  const { username, face, suggested } = readForm(form, guestFields, inUser);
  const { team } = readForm(form, { team: "number" });
  const join = (guest: { username?: string; face?: number | undefined }) =>
    api.post("/api/v1/joins", { join: { code, k, team, ...guest } });
  try {
    const { session } =
      context.get(pageContext).viewer === null
        ? await asGuest(api, { username, face, suggested }, join)
        : await join({});
    // A new document: the token, the viewer and all loaded data may belong to another user now.
    return redirectDocument(`/sessions/${session.slug}`);
  } catch (error) {
    return refuseForm<PlayRefusal>(error, { intent: PLAY, username: username ?? "", face });
  }
}

type CodeData = {
  typed: string;
  /** What the link has beside the code; null: it was typed. */
  proof: string | null;
  /** The session of the code; null before one was typed, and for a wrong one. */
  session: CodedSession | null;
  /** The name and the face that a visitor begins with; null without a session, and for who is signed in. */
  suggestion: GuestSuggestion | null;
  /** What is wrong with the code. */
  refusal: string | null;
};

/**
 * Finds the session of the code in the address. Who can open it already is taken to its Action screen, unless they have to choose a team
 * first.
 */
export async function loadCode({ api, context, url }: LoaderArgs) {
  const { searchParams } = url;
  const [typed, proof] = [searchParams.get("code"), searchParams.get("k")];
  const none = { session: null, suggestion: null };
  if (typed === null) return data<CodeData>({ typed: "", proof, ...none, refusal: null });
  try {
    const path = `/api/v1/join_codes/${encodeURIComponent(typed.trim() || " ")}` as const;
    const { session } = await api.get(path, { query: { k: proof } });
    const { viewer } = context.get(pageContext);
    if (session.entered && !asksForTeam(session, viewer)) throw redirect(`/sessions/${session.slug}`);
    const suggestion = viewer === null ? await fetchSuggestion(api) : null;
    return data<CodeData>({ typed, proof, session, suggestion, refusal: null });
  } catch (error) {
    if (error instanceof Response) throw error;
    const { refusal, status } = refusedInForm(error);
    return data<CodeData>({ typed, proof, ...none, refusal }, { status });
  }
}

/** A player who is in no team yet chooses one before the first call. Hosts do not play. */
function asksForTeam({ id, teams, team, state }: CodedSession, viewer: ViewerView | null): boolean {
  const isHost = viewer !== null && rolesIn(viewer, id).includes("admin");
  return teams.length > 0 && team === null && state !== "stopped" && !isHost;
}

/** The teams of a session in the form by which a player joins it. The smallest is chosen already, so nobody has to choose. */
function TeamChoice({ offered: { teams, suggested } }: { offered: OfferedTeams }) {
  if (teams.length === 0) return null;
  return (
    <fieldset className="stack">
      <legend className="strong small">Your team</legend>
      <div className="row wrap">
        {teams.map(({ number, name, membersCount }) => (
          <label className="check" key={number}>
            <input type="radio" name="team" value={number} defaultChecked={number === suggested} />
            <span>
              <span translate="no">{name}</span>{" "}
              <span className="small ink2 num">{countOf(membersCount, "player")}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
