import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { notFound } from "#src/base/refusal.ts";

/** Stops the messages to one of a user's browsers. Refuses an unknown one and one of another user: 404. */
export async function removeSubscription(
  db: Queryable,
  { id, userId }: { id: number; userId: number },
): Promise<void> {
  const removed = await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.userId, userId)))
    .returning({ id: pushSubscriptions.id });
  if (removed.length === 0) throw notFound();
}
