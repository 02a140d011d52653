import { Link } from "react-router";
import { sessionStateLabels, type SessionView } from "#src/sessions/contract.ts";
import { countOf } from "../ui/count.ts";
import { Pill } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";

/** One session in a list. */
export function SessionRow({ session, admin }: { session: SessionView; admin: boolean }) {
  const { name, slug, state } = session;
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
        {stopped ? <Way label="Leaders" to={`/sessions/${slug}/leaders`} name={name} /> : null}
        {/* From a list of sessions the action would lead an admin to the Admin tab anyway. */}
        {stopped || admin ? null : <Way label="View" to={`/sessions/${slug}`} name={name} />}
        {state === "pending" && !session.registered && !admin ? (
          <Way label="Join" to={`/sessions/${slug}/join`} name={name} />
        ) : null}
        {admin ? <Way label="Admin" to={`/sessions/${slug}/admin`} name={name} /> : null}
        {admin && !stopped ? <Way label="Edit" to={`/sessions/${slug}/edit`} name={name} /> : null}
      </span>
    </li>
  );
}

function Way({ label, to, name }: { label: string; to: string; name: string }) {
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
