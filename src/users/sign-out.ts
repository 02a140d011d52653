import { and, eq, isNull, sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { disconnectUser } from "#src/broadcast.ts";
import type { Deps } from "#src/deps.ts";

/**
 * Ends a sign-in: every cookie that points at it, copied or not, is dead from here on, and its sockets go.
 * @param signInId null where nobody is signed in: nothing to do.
 */
export async function signOut(deps: Deps, signInId: string | null): Promise<void> {
  if (signInId === null) return;
  await deps.pool.db
    .update(signIns)
    .set({ endedAt: sql`clock_timestamp()` })
    .where(and(eq(signIns.id, signInId), isNull(signIns.endedAt)));
  try {
    await disconnectUser(deps.redis, { signInId });
  } catch (error) {
    // Each process looks for sockets of ended sign-ins by itself as well.
    deps.log.warn({ err: error }, "could not tell the sockets of a sign-in that it is over");
  }
}
