import { Form, Link, useActionData, useLoaderData } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { PlayNow, type PlayRefusal } from "#client/front-door/play-now.tsx";
import { CodeForm } from "#client/join-codes/code-form.tsx";
import * as texts from "#client/join-codes/join-texts.ts";
import { TeamChoice } from "#client/join-codes/team-choice.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { CodedSession } from "#src/show/join-codes/schemas.ts";
import type { CodeData } from "./load-code.ts";

/** Takes the code of a session, and lets those who have it in. */
export function CodeScreen() {
  const { typed, session, refusal } = useLoaderData<CodeData>();
  return (
    <Cover>
      {session === null ? (
        <section className="dialog">
          <h1>{texts.title}</h1>
          <CodeForm label={texts.code} typed={typed} refusal={refusal} />
          <p className="small ink2">{texts.hint}</p>
        </section>
      ) : (
        <Found session={session} typed={typed} />
      )}
    </Cover>
  );
}

function Found({ session, typed }: { session: CodedSession; typed: string }) {
  const refused = useActionData<PlayRefusal>();
  const viewer = useViewer();
  const here = `/join?${new URLSearchParams({ code: typed }).toString()}`;
  return (
    <section className="dialog">
      <h1>{session.name}</h1>
      <Brand session={session} />
      <p className="ink2">
        <span>
          <When session={session} />
        </span>{" "}
        {session.private ? <span>{texts.isPrivate}</span> : null}
      </p>
      {session.description === "" ? null : <p className="small ink2">{session.description}</p>}
      {viewer === null ? (
        <>
          <PlayNow to={here} label={texts.playNow} refusal={refused}>
            <TeamChoice offered={session} />
          </PlayNow>
          <Link
            className="btn ghost wide"
            to={`/users/sign_in?${new URLSearchParams({ return_to: here }).toString()}`}
          >
            {texts.signInInstead}
          </Link>
        </>
      ) : (
        <Form className="stack" method="post" action={here}>
          {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
          <CsrfField />
          <TeamChoice offered={session} />
          <Submit className="btn primary lg wide">{texts.joinAs(viewer.username)}</Submit>
        </Form>
      )}
      <p className="small ink2">
        <Link to="/join">{texts.anotherCode}</Link>
      </p>
    </section>
  );
}

/** Beside a line of the accent. The band of other pages would cost this one, which a phone opens first, a request more. */
function Brand({ session: { name, brand } }: { session: CodedSession }) {
  if (brand?.logo === undefined && brand?.sponsor === undefined) return null;
  const { accent = "currentcolor", logo, sponsor } = brand;
  return (
    <p className="row" style={{ borderInlineStart: `6px solid ${accent}`, paddingInlineStart: 12 }}>
      {logo === undefined ? null : <img src={logo} alt={sponsor === undefined ? name : ""} height={36} />}
      {sponsor === undefined ? null : <span dir="auto">{sponsor}</span>}
    </p>
  );
}

function When({ session: { state, startsAt } }: { session: CodedSession }) {
  if (state === "stopped") return texts.isOver;
  if (state !== "pending") return texts.isLive;
  if (startsAt === null) return texts.notPlannedYet;
  return (
    <>
      <Moment at={startsAt} />.
    </>
  );
}
