import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { usePage, useViewer } from "#client/base/page/context.ts";
import { usePhoneParts } from "#client/screens/action/phone/use-phone-parts.ts";
import { Icon } from "#client/ui/icon.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/**
 * The way back to the live game, on the pages around it: the page's own session while it is live, else the active one. It says
 * how the game stands as soon as its code is there. Admins have their own ways.
 */
export function LiveBar({ session }: { session: SessionView | null }) {
  const { activeSession } = usePage();
  const viewer = useViewer();
  const live = session !== null && isLive(session) ? session : activeSession;
  const shown = viewer !== null && !viewer.roles.includes("admin") && live !== null;
  const parts = usePhoneParts({ enabled: shown });
  if (!shown) return null;
  return (
    <aside className="live-bar" aria-label="Live session">
      <Link to={`/sessions/${live.slug}`}>
        <Icon name="true" size="s" />
        <span className="names">
          {parts === null ? <b>{words.live}</b> : <parts.LiveState id={live.id} slug={live.slug} />}
        </span>
        <span className="btn you sm">Back to live</span>
      </Link>
    </aside>
  );
}

function isLive({ state, active }: SessionView): boolean {
  return state === "running" || state === "paused" || (active && state === "pending");
}
