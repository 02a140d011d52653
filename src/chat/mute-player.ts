import { eq, sql } from "drizzle-orm";
import type * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import type { createMuteBody, MuteView } from "./schemas.ts";

type Muting = v.InferOutput<typeof createMuteBody> & { actor: Actor };

/**
 * Lets a player write nothing more in a session for so many minutes from now. A mute that is running is replaced.
 * @throws Refusal 404 without such a session; 422 for a user who is not there, and for oneself.
 */
export async function mutePlayer(deps: Deps, { actor, userId, ...muting }: Muting): Promise<MuteView> {
  if (userId === actor?.id)
    throw invalid({ userId: ["is invalid"] }, { detail: "You cannot mute yourself." });
  const sessionId = await findSessionId(deps.pool.db, muting.sessionId);
  const { minutes, reason } = muting;
  return inTransaction(deps.pool.db, async (tx) => {
    if ((await tx.$count(users, eq(users.id, userId))) === 0) throw invalid({ user: ["must exist"] });
    const terms = { until: sql`game_now() + make_interval(mins => ${minutes})`, reason };
    const [mute] = await tx
      .insert(mutes)
      .values({ sessionId, userId, ...terms })
      .onConflictDoUpdate({ target: [mutes.sessionId, mutes.userId], set: terms })
      .returning();
    if (mute === undefined) throw new Error("a mute has a row");
    await writeAudit(tx, {
      actor,
      action: "mute",
      subject: { type: "user", id: userId },
      sessionId,
      before: {},
      after: { minutes },
      reason,
    });
    return { userId, until: mute.until.toISOString(), reason };
  });
}
