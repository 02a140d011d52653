import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import type { LogStep, PlayerSums } from "./read-entries.ts";

const resultRows = v.array(
  v.object({
    atMs: wholeNumber,
    eventId: wholeNumber,
    userId: wholeNumber,
    netCents: wholeNumber,
    isRight: v.boolean(),
  }),
);

/**
 * The leaderboard before a session had a log, from the results of its events. They have the result that is valid now, from the
 * moment of the first one on.
 * @param untilMs when the log begins; null: there is none.
 */
export async function deriveScores(
  db: Queryable,
  sessionId: number,
  untilMs: number | null,
): Promise<LogStep[]> {
  const rows = await db.execute(sql`
    SELECT ceil(extract(epoch FROM resolved_at) * 1000) AS "atMs", event_id AS "eventId", user_id AS "userId",
      net_cents AS "netCents", net_cents > 0 OR (refunded AND was_unopposed(event_id)) AS "isRight"
    FROM results WHERE session_id = ${sessionId}
      AND resolved_at < coalesce(to_timestamp(${untilMs}::float8 / 1000), 'infinity')
    ORDER BY resolved_at, event_id, user_id`);
  const sums = new Map<number, PlayerSums>();
  return [...Map.groupBy(v.parse(resultRows, [...rows]), ({ eventId }) => eventId).values()].map(
    (results) => ({
      atMs: results[0]?.atMs ?? 0,
      entries: [
        {
          kind: "scores" as const,
          subjectId: sessionId,
          created: false,
          scores: results.map((result) => {
            const next = addResult(result, sums.get(result.userId));
            sums.set(result.userId, next);
            return next;
          }),
        },
      ],
    }),
  );
}

/** Being right extends a streak, a loss ends it, and a push leaves it as it is. */
function addResult(
  { userId, netCents, isRight }: { userId: number; netCents: number; isRight: boolean },
  before: PlayerSums = nothingPlayed,
): PlayerSums {
  const won = netCents > 0 ? 1 : 0;
  const lost = netCents < 0 ? 1 : 0;
  const currentStreak = lost === 1 ? 0 : before.currentStreak + (isRight ? 1 : 0);
  return {
    userId,
    played: before.played + 1,
    wins: before.wins + won,
    losses: before.losses + lost,
    netCents: before.netCents + netCents,
    currentStreak,
    bestStreak: Math.max(before.bestStreak, currentStreak),
  };
}

const nothingPlayed: PlayerSums = {
  userId: 0,
  played: 0,
  wins: 0,
  losses: 0,
  netCents: 0,
  currentStreak: 0,
  bestStreak: 0,
};
