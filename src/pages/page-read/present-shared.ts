import type { Deps } from "#src/base/deps.ts";
import { rankScore } from "#src/play/leaderboard/find-scores.ts";
import { noteForGuests } from "#src/play/leaderboard/note-for-guests.ts";
import type { LeadersAnswer, ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { SignedInRow } from "./page-read-row.ts";
import { withOwnCalls } from "./present-own.ts";
import type { PageRead } from "./read-for-request.ts";
import { snapshotOf } from "./session-snapshot.ts";

/** The session of a page read as its viewer sees it; null if there is none, or if a signed-out viewer may not watch it. */
export function sessionIn(deps: Deps, { own, answer: { session } }: PageRead): SessionView | null {
  if (session === null || !canWatch(own, session.seen)) return null;
  const { seen, playersOnline } = session;
  return snapshotOf(deps, seen.id).session(seen, { registered: own?.registered ?? false, playersOnline });
}

/** The published events of the session with the viewer's own calls; null if they were not read. */
export function eventsIn(
  deps: Deps,
  { own, shared, answer: { session } }: PageRead,
  now: Date,
): EventView[] | null {
  const events = shared?.events ?? null;
  if (session === null || events === null) return null;
  if (own === null) return [...events];
  const columns = snapshotOf(deps, session.seen.id).columns(session.seen);
  return withOwnCalls(events, { row: own, session: columns, now });
}

/** The leaders of the session with the viewer's own score; null if they were not read. */
export function leadersIn(
  { env }: Pick<Deps, "env">,
  { own, shared, answer: { session } }: PageRead,
): LeadersAnswer | null {
  const known = shared?.leaders ?? null;
  if (own === null || session === null || known === null) return null;
  const { leaders, totalCount, rankings } = known;
  const exclusion = own.exclusion ?? noteForGuests(env, own);
  const me = exclusion === null ? scoreIn(own, { rankings, sessionId: session.seen.id }) : null;
  return { leaders, me, exclusion, totalCount };
}

type Board = { rankings: Parameters<typeof rankScore>[0]; sessionId: number };

function scoreIn(own: SignedInRow, { rankings, sessionId }: Board): ScoreView | null {
  if (own.played === null) return null;
  const { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents } = own;
  const sums = { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents };
  const player = { userId: Number(own.userId), username: own.username, avatar: own.avatar };
  return rankScore(rankings, { sessionId, player, sums });
}
