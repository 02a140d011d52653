import { Link } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { countOf } from "../ui/count.ts";
import { Icon } from "../ui/icon.tsx";
import { Pill } from "../ui/pill.tsx";

/** The live session. */
export function LiveBanner({ session, admin }: { session: SessionView; admin: boolean }) {
  const { name, slug, state, playersOnline, eventsCount } = session;
  return (
    <section className="banner" aria-label={`Live now: ${name}`}>
      <Icon name="mark" className="only-desktop" />
      <div className="row">
        <LivePill state={state} />
        <span className="small num">{countOf(eventsCount, "action")}</span>
      </div>
      <h2>{name}</h2>
      <div className="row wrap">
        {admin ? (
          <Link className="btn you lg" to={`/sessions/${slug}/admin`}>
            Run the show
          </Link>
        ) : (
          <Link className="btn you lg" to={`/sessions/${slug}`}>
            Go to the action
          </Link>
        )}
        <span className="small">
          {playersOnline === 0 ? "Nobody here yet" : `${countOf(playersOnline, "player")} here`}
        </span>
      </div>
    </section>
  );
}

function LivePill({ state }: Pick<SessionView, "state">) {
  if (state === "paused") {
    return (
      <Pill icon="pause" tone="warn">
        Paused
      </Pill>
    );
  }
  return state === "pending" ? (
    <Pill icon="clock" tone="you">
      Starts soon
    </Pill>
  ) : (
    <Pill icon="true" tone="you">
      Live now
    </Pill>
  );
}
