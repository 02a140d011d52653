import { Link } from "react-router";
import type { SessionView } from "#src/sessions/contract.ts";
import { Icon } from "../ui/icon.tsx";
import { Pill } from "../ui/pill.tsx";
import { countOf } from "../ui/count.ts";

/** The session that is on now. */
export function LiveBanner({ session }: { session: SessionView }) {
  const { name, slug, state, playersOnline, eventsCount } = session;
  return (
    <section className="banner" aria-label="Live now">
      <Icon name="mark" className="only-desktop" />
      <div className="row">
        {state === "paused" ? (
          <Pill icon="pause" tone="warn">
            Paused
          </Pill>
        ) : (
          <Pill icon="true" tone="you">
            Live now
          </Pill>
        )}
        <span className="small num">{countOf(eventsCount, "action")}</span>
      </div>
      <h2>{name}</h2>
      <div className="row wrap">
        <Link className="btn you lg" to={`/sessions/${slug}`}>
          Go to the action
        </Link>
        <span className="small">
          {playersOnline === 0 ? "Nobody here yet" : `${countOf(playersOnline, "player")} here`}
        </span>
      </div>
    </section>
  );
}
