import { and, desc, eq } from "drizzle-orm";
import { countRight, type PlayerWin, readLargestWins, readSessionTotals } from "#db/ledger/read-wins.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { dollarsOf } from "#src/http/money.ts";
import { findLongestStreak, findScore } from "#src/play/leaderboard/find-scores.ts";
import type { Evening, StageOutcome, Win } from "./schemas.ts";

/** Of so many wins the first is named whose player is on the leaderboard. */
const WINS_READ = 5;

type OutcomeDeps = Pick<Deps, "pool" | "env">;

/** How players did on the session's event that was resolved last; null without one, and where it was voided. */
export async function findOutcome(deps: OutcomeDeps, sessionId: number): Promise<StageOutcome | null> {
  const { db } = deps.pool;
  const [latest] = await db
    .select({ eventId: events.id, result: events.result })
    .from(events)
    .where(and(eq(events.sessionId, sessionId), eq(events.state, "resolved")))
    .orderBy(desc(events.resolvedAt))
    .limit(1);
  if (latest === undefined || latest.result === "void") return null;
  const { eventId } = latest;
  const [counts, wins] = await Promise.all([
    countRight(db, eventId),
    readLargestWins(db, { eventId }, WINS_READ),
  ]);
  return { eventId, ...counts, biggestWin: await nameFirst(deps, sessionId, wins) };
}

/** The figures of a session that is over. */
export async function findEvening(deps: OutcomeDeps, sessionId: number): Promise<Evening> {
  const { db } = deps.pool;
  const [totals, wins, longestStreak] = await Promise.all([
    readSessionTotals(db, sessionId),
    readLargestWins(db, { sessionId }, WINS_READ),
    findLongestStreak(deps, sessionId),
  ]);
  const biggestWin = await nameFirst(deps, sessionId, wins);
  return { ...totals, wagered: dollarsOf(totals.wageredCents), biggestWin, longestStreak };
}

/** Who is on no leaderboard is not named here either. */
async function nameFirst(
  deps: OutcomeDeps,
  sessionId: number,
  wins: readonly PlayerWin[],
): Promise<Win | null> {
  for (const { userId, eventId, netCents } of wins) {
    const score = await findScore(deps, { sessionId, userId });
    if (score !== null)
      return { userId, username: score.username, eventId, net: dollarsOf(netCents), netCents };
  }
  return null;
}
