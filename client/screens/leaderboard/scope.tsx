import { Link } from "react-router";
import { usePage } from "#client/base/page/context.ts";
import * as texts from "./leaderboard-texts.ts";

/**
 * Switches between the leaderboard of all time and that of one session.
 * @param slug the shown session's; null: all sessions.
 */
export function Scope({ slug }: { slug: string | null }) {
  const { activeSession } = usePage();
  const session = slug ?? activeSession?.slug;
  const mayLeave = useMayLeaveSession();
  if (session === undefined || !mayLeave) return null;
  return (
    <nav className="seg" aria-label={texts.scope}>
      <Link to="/leaderboard" aria-current={slug === null ? "page" : undefined}>
        {texts.allTime}
      </Link>
      <Link to={`/sessions/${session}/leaders`} aria-current={slug === null ? undefined : "page"}>
        {texts.thisSession}
      </Link>
    </nav>
  );
}

/** False for players while a session is active: the other pages of the leaderboard redirect them to it. */
export function useMayLeaveSession(): boolean {
  const { activeSession, viewer } = usePage();
  return viewer?.roles.includes("admin") === true || activeSession === null;
}
