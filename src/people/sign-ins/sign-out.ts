import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { disconnectSignIns, removePushSubscriptions } from "./end-sign-ins.ts";

/**
 * Ends a sign-in, removes its browser's push subscription and disconnects its sockets. Every cookie that points to it becomes invalid, including copies of it.
 * @param signInId null if nobody is signed in: nothing to do.
 */
export async function signOut(deps: Deps, signInId: string | null): Promise<void> {
  if (signInId === null) return;
  await inTransaction(deps.pool.db, async (tx) => {
    await tx
      .update(signIns)
      .set({ endedAt: sql`clock_timestamp()` })
      .where(and(eq(signIns.id, signInId), isNull(signIns.endedAt)));
    await removePushSubscriptions(tx, [signInId]);
  });
  await disconnectSignIns(deps, [signInId]);
}
