import { Link } from "react-router";
import { usePage } from "../context.ts";

/**
 * Between the table of all time and that of one session.
 * @param slug the session shown; null where all are.
 */
export function Scope({ slug }: { slug: string | null }) {
  const { activeSession } = usePage();
  const session = slug ?? activeSession?.slug;
  const mayMove = useMayMove();
  if (session === undefined || !mayMove) return null;
  return (
    <nav className="seg" aria-label="Scope">
      <Link to="/leaderboard" aria-current={slug === null ? "page" : undefined}>
        All time
      </Link>
      <Link to={`/sessions/${session}/leaders`} aria-current={slug === null ? undefined : "page"}>
        This session
      </Link>
    </nav>
  );
}

/** While a session is active, players are taken to it from everything of the leaderboard. */
export function useMayMove(): boolean {
  const { activeSession, viewer } = usePage();
  return viewer?.roles.includes("admin") === true || activeSession === null;
}
