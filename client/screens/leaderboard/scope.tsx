import { Link } from "react-router";
import { usePage } from "#client/base/page/context.ts";
import { CURRENT_SEASON } from "#db/lists/seasons.ts";

/** The leaderboards that the tabs lead to. */
type Tab = "all" | "season" | "session";

/**
 * The tabs of the leaderboards: all time, the season that runs, and the session that is shown or live. Guests see the session's in
 * the game, and the other pages are not for them.
 * @param shown the tab of this page; null for a page of none, such as a season that has ended.
 * @param slug of the shown session.
 */
export function Scope({ shown, slug = null }: { shown: Tab | null; slug?: string | null }) {
  const { activeSession, viewer } = usePage();
  const session = slug ?? activeSession?.slug;
  const mayLeave = useMayLeaveSession();
  if (viewer === null || viewer.guest) return null;
  const tabs: [Tab, path: string, label: string][] = [
    ...(mayLeave ? [["all", "/leaderboard", "All time"] satisfies [Tab, string, string]] : []),
    ["season", `/seasons/${CURRENT_SEASON}`, "This season"],
    ...(session === undefined
      ? []
      : [["session", `/sessions/${session}/leaders`, "This session"] satisfies [Tab, string, string]]),
  ];
  return (
    <nav className="seg" aria-label="Scope">
      {tabs.map(([tab, path, label]) => (
        <Link key={tab} to={path} aria-current={tab === shown ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** False for guests, and for players while a session is active: the other pages of the leaderboard redirect them. */
export function useMayLeaveSession(): boolean {
  const { activeSession, viewer } = usePage();
  if (viewer?.guest === true) return false;
  return viewer?.roles.includes("admin") === true || activeSession === null;
}
