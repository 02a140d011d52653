import { ECDH } from "node:crypto";
import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound, unauthenticated } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import type { Env } from "#src/settings/env.ts";
import { PUSH_SUBSCRIPTIONS_MAX } from "./contract.ts";
import { isPushEndpoint } from "./push-address.ts";
import {
  type PushSubscriptionBody,
  pushSubscriptionSchema,
  type PushSubscriptionView,
  type PushSubscriptionsAnswer,
} from "./schemas.ts";

type Subscriber = { userId: number; signInId: string };

/**
 * Subscribes a browser to a user's messages, or changes which it shows. A browser has one endpoint: a subscription of another
 * user of the same browser is replaced, and only by a request that has the browser's keys.
 * @throws Refusal 422 for an endpoint that is not a public https address or belongs to another browser, for keys that are none,
 *   and if no message is wanted; 401 if the sign-in has ended meanwhile.
 */
export async function saveSubscription(
  deps: Pick<Deps, "env" | "pool">,
  subscriber: Subscriber,
  body: PushSubscriptionBody,
): Promise<PushSubscriptionView> {
  refuseUnusable(deps, body);
  return inTransaction(deps.pool.db, async (tx) => {
    await lockSignIn(tx, subscriber);
    const values = { ...subscriber, ...body };
    const [row] = await tx
      .insert(pushSubscriptions)
      .values(values)
      .onConflictDoUpdate({
        target: pushSubscriptions.endpoint,
        set: { ...values, failures: 0, updatedAt: sql`clock_timestamp()` },
        setWhere: sql`${pushSubscriptions.p256dh} = ${body.p256dh} AND ${pushSubscriptions.auth} = ${body.auth}`,
      })
      .returning();
    if (row === undefined) throw invalid({ endpoint: ["has already been taken"] });
    await removeSurplus(tx, row);
    return presentSubscription(row);
  });
}

function refuseUnusable({ env }: Pick<Deps, "env">, body: PushSubscriptionBody): void {
  const { endpoint, p256dh, auth, sessionLive, results } = body;
  if (!isPushEndpoint(endpoint, env.push)) throw invalid({ endpoint: ["is invalid"] });
  if (!isPoint(p256dh)) throw invalid({ p256dh: ["is invalid"] });
  if (Buffer.from(auth, "base64url").length !== AUTH_BYTES) throw invalid({ auth: ["is invalid"] });
  if (sessionLive || results) return;
  throw invalid({ base: ["one kind of message is required"] }, { detail: "To get no message, remove it." });
}

const AUTH_BYTES = 16;

/** True for a point of the curve. A browser's key is one, and nothing can be encrypted for what is not. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url", "base64url", "uncompressed");
    return true;
  } catch {
    return false;
  }
}

/** Keeps the sign-in from ending, which removes what is there, until this is written. The user's row lets one request at a time count. */
async function lockSignIn(tx: Transaction, { userId, signInId }: Subscriber): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  const [signIn] = await tx
    .select({ endedAt: signIns.endedAt })
    .from(signIns)
    .where(and(eq(signIns.id, signInId), eq(signIns.userId, userId)))
    .for("no key update");
  if (signIn === undefined || signIn.endedAt !== null) throw unauthenticated();
}

/** Removes those beyond the limit, and older ones of the sign-in: a browser that subscribes again gets another endpoint. */
async function removeSurplus(
  tx: Transaction,
  { id, userId, signInId }: Pick<typeof pushSubscriptions.$inferSelect, "id" | "userId" | "signInId">,
): Promise<void> {
  const others = and(eq(pushSubscriptions.userId, userId), ne(pushSubscriptions.id, id));
  const surplus = tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(and(others, ne(pushSubscriptions.signInId, signInId)))
    .orderBy(desc(pushSubscriptions.updatedAt), desc(pushSubscriptions.id))
    .offset(PUSH_SUBSCRIPTIONS_MAX - 1);
  await tx
    .delete(pushSubscriptions)
    .where(and(others, or(eq(pushSubscriptions.signInId, signInId), inArray(pushSubscriptions.id, surplus))));
}

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
const presentSubscription = (row: typeof pushSubscriptions.$inferSelect): PushSubscriptionView =>
  present(pushSubscriptionSchema, row);
