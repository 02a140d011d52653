import { Link } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { sessionStateLabel } from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { formatMoment } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useViewer } from "../base/page/context.ts";
import { Pill } from "../ui/pill.tsx";
import { RemindLink } from "./remind-link.tsx";
import { SaveAsBlueprint } from "./save-as-blueprint.tsx";

export function SessionRow({ session, admin }: { session: SessionView; admin: boolean }) {
  const { id, name, state, eventsCount, registrationsCount } = session;
  const stopped = state === "stopped";
  const runs = useViewer()?.hostOf.includes(id) === true || admin;
  return (
    <li className={runs ? "run-by-me" : ""}>
      <span className="grow">
        <b className="clip">{name}</b>
        <span className="tiny muted">
          <When at={session.stoppedAt ?? session.startedAt ?? session.startsAt} />{" "}
          {`${countOf(eventsCount, "question")}, ${registrationsCount} joined`}
        </span>
      </span>
      <Pill
        icon={stopped ? "slip" : "clock"}
        tone={stopped ? "plain" : "outline"}
        text={sessionStateLabel(state)}
      />
      <span className="row wrap">
        <Links session={session} admin={admin} runs={runs} />
      </span>
    </li>
  );
}

/** Links to the session's pages. Admins get no link to the Action screen: from this list it redirects them to the Admin tab. */
function Links({ session, admin, runs }: { session: SessionView; admin: boolean; runs: boolean }) {
  const { name, slug, state, startsAt, registered } = session;
  const path = `/sessions/${slug}`;
  if (state === "stopped") {
    return (
      <>
        <RowLink label={words.leaders} to={`${path}/leaders`} name={name} />
        {runs || registered ? <RowLink label={words.replay} to={`${path}/replay`} name={name} /> : null}
        {runs ? <RowLink label={words.admin} to={`${path}/admin`} name={name} /> : null}
        {admin ? <SaveAsBlueprint session={session} className="btn sm" /> : null}
      </>
    );
  }
  if (runs) {
    return (
      <>
        {admin ? null : <RowLink label={words.view} to={path} name={name} />}
        <RowLink label={words.admin} to={`${path}/admin`} name={name} />
        <RowLink label={words.edit} to={`${path}/edit`} name={name} />
      </>
    );
  }
  return (
    <>
      <RowLink label={words.view} to={path} name={name} />
      {state === "pending" && startsAt !== null ? (
        <RemindLink className="btn sm sq" session={session} isSmall />
      ) : null}
      {state === "pending" && !registered ? (
        <RowLink label={words.join} to={`${path}/join`} name={name} />
      ) : null}
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

function When({ at }: { at: string | null }) {
  const zone = useTimeZone();
  if (at === null) return "Not planned yet.";
  return (
    <>
      <time dateTime={at}>{formatMoment(at, zone)}</time>.
    </>
  );
}
