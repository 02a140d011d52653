import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { disconnectUser } from "#src/streams/broadcast.ts";

/** The sign-ins to end: all of a user, all except one, or only one. */
type Selection = { userId: number; except?: string | null; only?: string };

/**
 * Ends sign-ins. From the commit on, every cookie that points to them is invalid, including copies of it.
 * @returns the ids of the ended sign-ins, for disconnectSignIns after the commit.
 */
export async function endSignIns(tx: Queryable, { userId, except, only }: Selection): Promise<string[]> {
  const ended = await tx
    .update(signIns)
    .set({ endedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(signIns.userId, userId),
        isNull(signIns.endedAt),
        except === undefined || except === null ? undefined : ne(signIns.id, except),
        only === undefined ? undefined : eq(signIns.id, only),
      ),
    )
    .returning({ id: signIns.id });
  return ended.map(({ id }) => id);
}

/** Disconnects the sockets of ended sign-ins in all processes. */
export async function disconnectSignIns(
  { redis, log }: Pick<Deps, "redis" | "log">,
  ids: readonly string[],
): Promise<void> {
  try {
    await Promise.all(ids.map((signInId) => disconnectUser(redis, { signInId })));
  } catch (error) {
    // Each process also checks its sockets for ended sign-ins periodically.
    log.warn({ err: error }, "could not disconnect the sockets of an ended sign-in");
  }
}
