import { desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listMeta } from "#src/http/list-meta.ts";
import type { Env } from "#src/settings/env.ts";
import { PUSH_SUBSCRIPTIONS_MAX } from "./contract.ts";
import type { PushSubscriptionsAnswer, PushSubscriptionView } from "./schemas.ts";

/** A user's browsers that get messages, the last seen one first, and the key with which a browser subscribes. */
export async function listSubscriptions(
  db: Queryable,
  userId: number,
  { publicKey }: Env["push"],
): Promise<PushSubscriptionsAnswer> {
  const rows = await db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(desc(pushSubscriptions.updatedAt));
  const page = { page: 1, perPage: PUSH_SUBSCRIPTIONS_MAX, offset: 0 };
  return {
    pushSubscriptions: rows.map(presentSubscription),
    meta: { ...listMeta(page, rows.length, serverNow()), publicKey },
  };
}

/** A subscription as the API returns it, without its keys. */
export function presentSubscription(row: typeof pushSubscriptions.$inferSelect): PushSubscriptionView {
  const { id, endpoint, sessionLive, results, createdAt, lastSuccessAt } = row;
  return {
    id,
    endpoint,
    sessionLive,
    results,
    createdAt: createdAt.toISOString(),
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
  };
}
