import { Link } from "react-router";
import { usePage } from "../context.ts";

/**
 * Between the table of all time and that of one session.
 * @param slug the session shown; null where all are.
 */
export function Scope({ slug }: { slug: string | null }) {
  const { activeSession, viewer } = usePage();
  const session = slug ?? activeSession?.slug;
  // While a session is active, players are taken to it from the other table.
  const mayMove = viewer?.roles.includes("admin") === true || activeSession === null;
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
