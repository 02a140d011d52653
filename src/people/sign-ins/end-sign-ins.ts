import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { broadcastControl } from "#src/base/streams/broadcast.ts";

/** The sign-ins to end: all of a user, all except one, or only one. */
type Selection = { userId: number; except?: string | null; only?: string };

/** The provider's proof is of no use to a sign-in that is over. */
const over = { endedAt: sql`clock_timestamp()`, idToken: null };

/**
 * Ends sign-ins, and with them their browsers' push subscriptions. From the commit on, every cookie that points to them is invalid, including copies of it.
 * @returns the ids of the ended sign-ins, for disconnectSignIns after the commit.
 */
export async function endSignIns(tx: Queryable, { userId, except, only }: Selection): Promise<string[]> {
  const ended = await tx
    .update(signIns)
    .set(over)
    .where(
      and(
        eq(signIns.userId, userId),
        isNull(signIns.endedAt),
        except === undefined || except === null ? undefined : ne(signIns.id, except),
        only === undefined ? undefined : eq(signIns.id, only),
      ),
    )
    .returning({ id: signIns.id });
  const ids = ended.map(({ id }) => id);
  await removePushSubscriptions(tx, ids);
  return ids;
}

/** A browser that is signed out shows no messages any more. In the transaction that ends its sign-in. */
async function removePushSubscriptions(tx: Queryable, signInIds: readonly string[]): Promise<void> {
  if (signInIds.length === 0) return;
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.signInId, [...signInIds]));
}

export async function disconnectSignIns(
  { redis, log }: Pick<Deps, "redis" | "log">,
  ids: readonly string[],
): Promise<void> {
  try {
    await Promise.all(ids.map((signInId) => broadcastControl(redis, { signInId })));
  } catch (error) {
    // Each process also checks its sockets for ended sign-ins periodically.
    log.warn({ err: error }, "could not disconnect the sockets of an ended sign-in");
  }
}

/** Disconnects the sockets of a revoked access token, or of a dock. */
export async function disconnectToken(
  { redis, log }: Pick<Deps, "redis" | "log">,
  accessTokenId: number,
): Promise<void> {
  await broadcastControl(redis, { accessTokenId }).catch((error: unknown) =>
    log.warn({ err: error }, "could not disconnect the sockets of a revoked access token"),
  );
}

/** Where Redis has, for a minute, the provider's proof of the sign-in that a browser has just ended. @param csrfSecret the browser's. */
export const leavingKey = (csrfSecret: string) => `oidc:leaving:${csrfSecret}`;

/**
 * Ends a sign-in, removes its browser's push subscription and disconnects its sockets. Every cookie that points to it becomes invalid, including copies of it.
 * @param signInId null if nobody is signed in: nothing to do.
 * @returns the provider's proof that the sign-in had, with which the browser signs out there; null for all others.
 */
export async function signOut(deps: Deps, signInId: string | null): Promise<string | null> {
  if (signInId === null) return null;
  const idToken = await inTransaction(deps.pool.db, async (tx) => {
    const isCurrent = and(eq(signIns.id, signInId), isNull(signIns.endedAt));
    const [row] = await tx.select({ idToken: signIns.idToken }).from(signIns).where(isCurrent).for("update");
    if (row !== undefined) await tx.update(signIns).set(over).where(eq(signIns.id, signInId));
    await removePushSubscriptions(tx, [signInId]);
    return row?.idToken ?? null;
  });
  await disconnectSignIns(deps, [signInId]);
  return idToken;
}
