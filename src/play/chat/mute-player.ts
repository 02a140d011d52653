import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { requireSessionId, lockAgainstDeletion } from "#src/play/find-session-id.ts";
import type { createMuteBody, MuteView } from "./schemas.ts";

type MutePlayer = v.InferOutput<typeof createMuteBody> & { actor: Actor };

/**
 * Mutes a player in a session's chat for `minutes` from now. It replaces a running mute.
 * @throws Refusal 404 for an unknown session; 422 for an unknown user, and if the actor mutes itself.
 */
export async function mutePlayer(
  deps: Deps,
  { actor, userId, ...mute }: MutePlayer,
  keyed: MaybeKeyed = null,
): Promise<MuteView> {
  if (userId === actor?.id)
    throw invalid({ userId: ["is invalid"] }, { detail: "You cannot mute yourself." });
  const sessionId = await requireSessionId(deps.pool.db, mute.sessionId, "host");
  const { minutes, reason } = mute;
  const muted = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, mutedUntil, async () => {
      await lockAgainstDeletion(tx, sessionId);
      if ((await tx.$count(users, eq(users.id, userId))) === 0) throw invalid({ user: ["must exist"] });
      const changes = { until: sql`game_now() + make_interval(mins => ${minutes})`, reason };
      const [row] = await tx
        .insert(mutes)
        .values({ sessionId, userId, ...changes })
        .onConflictDoUpdate({ target: [mutes.sessionId, mutes.userId], set: changes })
        .returning();
      if (row === undefined) throw new Error("the upsert of a mute returned no row");
      await writeAudit(tx, {
        actor,
        action: "mute",
        subject: { type: "user", id: userId },
        sessionId,
        before: {},
        after: { minutes },
        reason,
      });
      return { until: row.until.toISOString() };
    }),
  );
  return { userId, ...muted, reason };
}

const mutedUntil = v.object({ until: v.string() });
