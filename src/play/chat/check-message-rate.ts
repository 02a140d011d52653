import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { Refusal } from "#src/base/refusal.ts";
import { MESSAGE_EVERY_SECONDS } from "./contract.ts";

const SECOND_MS = 1_000;

type Sender = { userId: number; sessionId: number; admin: boolean };

/** Milliseconds until the next message is allowed, by the general limit and by slow mode; null or negative: now. */
const waitRow = v.tuple([
  v.object({
    limitMs: v.nullable(v.number()),
    slowModeMs: v.nullable(v.number()),
    slowModeSeconds: v.number(),
  }),
]);

/**
 * Refuses a message too soon after the player's last one: 2 s in all sessions together, longer in a session in slow mode.
 * Slow mode does not apply to admins.
 * @param tx holds the lock on the player's row, so that a player's concurrent messages are checked one after the other.
 * @throws Refusal 429 with Retry-After.
 */
export async function checkMessageRate(tx: Transaction, { userId, sessionId, admin }: Sender): Promise<void> {
  const [{ limitMs, slowModeMs, slowModeSeconds }] = v.parse(
    waitRow,
    await tx.execute(sql`
      SELECT slow.seconds AS "slowModeSeconds",
        (extract(epoch FROM max(m.created_at) - game_now()) * 1000)::float8
          + ${MESSAGE_EVERY_SECONDS * SECOND_MS}::float8 AS "limitMs",
        (extract(epoch FROM max(m.created_at) FILTER (WHERE m.session_id = s.id) - game_now()) * 1000)::float8
          + slow.seconds * ${SECOND_MS}::float8 AS "slowModeMs"
      FROM sessions s
      CROSS JOIN LATERAL (SELECT coalesce((s.settings ->> 'slowModeSeconds')::int, 0) AS seconds) slow
      LEFT JOIN messages m ON m.user_id = ${userId}
        AND m.created_at > game_now() - make_interval(secs => greatest(slow.seconds, ${MESSAGE_EVERY_SECONDS}::int))
      WHERE s.id = ${sessionId}
      GROUP BY slow.seconds`),
  );
  if (!admin && (slowModeMs ?? 0) > Math.max(0, limitMs ?? 0)) {
    throw tooSoon(slowModeMs ?? 0, `Slow mode is on: one message every ${slowModeSeconds} seconds.`);
  }
  if (limitMs !== null && limitMs > 0) {
    throw tooSoon(limitMs, `One message every ${MESSAGE_EVERY_SECONDS} seconds.`);
  }
}

function tooSoon(waitMs: number, rule: string): Refusal {
  const waitS = Math.ceil(waitMs / SECOND_MS);
  const wait = waitS === 1 ? "a second" : `${waitS} seconds`;
  return new Refusal(429, "too_soon", `${rule} Try again in ${wait}.`, { retryAfterSeconds: waitS });
}
