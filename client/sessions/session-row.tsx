import { Link } from "react-router";
import { sessionStateLabels } from "#src/sessions/contract.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { countOf } from "../ui/count.ts";
import { Pill } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";

/** One session in a list. */
export function SessionRow({ session, admin }: { session: SessionView; admin: boolean }) {
  const { name, state } = session;
  const stopped = state === "stopped";
  return (
    <li className={admin ? "run-by-me" : ""}>
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
      <span className="row">
        <Links session={session} admin={admin} />
      </span>
    </li>
  );
}

/** Links to the session's pages. Admins get no link to the Action screen: from this list it redirects them to the Admin tab. */
function Links({ session, admin }: { session: SessionView; admin: boolean }) {
  const { name, slug, state, registered } = session;
  const path = `/sessions/${slug}`;
  if (state === "stopped") {
    return (
      <>
        <RowLink label="Leaders" to={`${path}/leaders`} name={name} />
        {admin ? <RowLink label="Admin" to={`${path}/admin`} name={name} /> : null}
      </>
    );
  }
  if (admin) {
    return (
      <>
        <RowLink label="Admin" to={`${path}/admin`} name={name} />
        <RowLink label="Edit" to={`${path}/edit`} name={name} />
      </>
    );
  }
  return (
    <>
      <RowLink label="View" to={path} name={name} />
      {state === "pending" && !registered ? <RowLink label="Join" to={`${path}/join`} name={name} /> : null}
    </>
  );
}

function RowLink({ label, to, name }: { label: string; to: string; name: string }) {
  return (
    <Link className="btn sm" to={to}>
      {label}
      <span className="vh">: {name}</span>
    </Link>
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
