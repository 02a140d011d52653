import { Link } from "react-router";
import { sessionStateLabels, type SessionView } from "#src/sessions/contract.ts";
import { countOf } from "../ui/count.ts";
import { Pill } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";

/** One session in a list. */
export function SessionRow({ session }: { session: SessionView }) {
  const { name, slug, state } = session;
  const stopped = state === "stopped";
  return (
    <li>
      <span className="grow">
        <b className="clip">{name}</b>
        <span className="tiny muted">
          <When session={session} /> {countOf(session.eventsCount, "action")}, {session.registrationsCount}{" "}
          joined
        </span>
      </span>
      <Pill icon={stopped ? "slip" : "clock"} tone={stopped ? "plain" : "outline"}>
        {sessionStateLabels[state]}
      </Pill>
      <Link className="btn sm" to={stopped ? `/sessions/${slug}/leaders` : `/sessions/${slug}`}>
        {stopped ? "Leaders" : "View"}
        <span className="vh">: {name}</span>
      </Link>
    </li>
  );
}

function When({ session: { startsAt, startedAt, stoppedAt } }: { session: SessionView }) {
  const at = stoppedAt ?? startedAt ?? startsAt;
  if (at === null) return "Not planned yet.";
  return (
    <>
      <Moment at={at} />.
    </>
  );
}
