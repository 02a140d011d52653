import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { events } from "#db/schema/events.ts";
import { results } from "#db/schema/scores.ts";
import { shareReads } from "#src/base/share-reads.ts";

type Asked = { userId: number; sessionIds: readonly number[] };
/** How many events in a row a player had been right about, by the id of the last of them. */
export type Streaks = ReadonlyMap<number, number>;

const streakRow = v.object({ user_id: wholeNumber, event_id: wholeNumber, won: wholeNumber });

/**
 * The streaks of a player in these sessions, up to each event that the player was right about: won, or right while nobody had called
 * the other side. An event that was refunded otherwise, or even, neither breaks a streak nor counts. Players who ask at the same moment share one read.
 */
export const findStreaks = shareReads(
  () => "",
  async (db: Queryable, players: readonly Asked[]): Promise<(asked: Asked) => Streaks> => {
    const asked = players.flatMap(({ userId, sessionIds }) => sessionIds.map((id) => [userId, id] as const));
    const userIds = writeIntegerArray(asked.map(([userId]) => userId));
    const sessionIds = writeIntegerArray(asked.map(([, sessionId]) => sessionId));
    // Event by event, as in find-call-views.ts: a session has fewer events than a player has results.
    const rows = await db.execute(sql`
      WITH asked AS (
        SELECT DISTINCT * FROM unnest(${userIds}::bigint[], ${sessionIds}::bigint[]) AS pair (user_id, session_id)
      ), runs AS (
        SELECT asked.*, own.event_id, own.resolved_at, own.net_cents > 0 OR (own.refunded AND was_unopposed(own.event_id)) AS is_right,
          count(*) FILTER (WHERE own.net_cents < 0)
          OVER (PARTITION BY asked.user_id, asked.session_id ORDER BY own.resolved_at, own.event_id) AS run
        FROM asked JOIN ${events} e ON e.session_id = asked.session_id CROSS JOIN LATERAL (
          SELECT r.* FROM ${results} r WHERE r.event_id = e.id AND r.user_id = asked.user_id OFFSET 0
        ) AS own
      ), streaks AS (
        SELECT user_id, event_id, is_right, count(*) FILTER (WHERE is_right)
          OVER (PARTITION BY user_id, session_id, run ORDER BY resolved_at, event_id) AS won
        FROM runs
      )
      SELECT user_id, event_id, won FROM streaks WHERE is_right`);
    const byUser = Map.groupBy(v.parse(v.array(streakRow), [...rows]), (row) => row.user_id);
    return ({ userId }) => new Map((byUser.get(userId) ?? []).map(({ event_id, won }) => [event_id, won]));
  },
);
