import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { disconnectUser } from "#src/streams/broadcast.ts";

/** Which sign-ins: all of a user, all but one, or one of them. */
type Which = { userId: number; except?: string | null; only?: string };

/**
 * Ends sign-ins: every cookie that points at them, copied or not, is dead with the commit.
 * @returns those that were ended just now, for disconnectSignIns after the commit.
 */
export async function endSignIns(tx: Queryable, { userId, except, only }: Which): Promise<string[]> {
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

/** Sends away the sockets of sign-ins that were ended, in every process. */
export async function disconnectSignIns(
  { redis, log }: Pick<Deps, "redis" | "log">,
  ids: readonly string[],
): Promise<void> {
  try {
    await Promise.all(ids.map((signInId) => disconnectUser(redis, { signInId })));
  } catch (error) {
    // Each process looks for sockets of ended sign-ins by itself as well.
    log.warn({ err: error }, "could not tell the sockets of a sign-in that it is over");
  }
}
