import { and, eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { guestRefused, Refusal } from "#src/base/refusal.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId, lockAgainstDeletion } from "#src/play/find-session-id.ts";
import { checkMessageRate } from "./check-message-rate.ts";
import { refuseUnfitText } from "./refuse-unfit-text.ts";

export type NewMessage = {
  viewer: Pick<Viewer, "id" | "guest" | "roles">;
  /** A session's id or slug. */
  sessionId: string;
  body: string;
  /** Unique per player, the message's Idempotency-Key: the same id with the same text returns the first message. */
  clientId: string;
};

/**
 * Writes a message into a session's chat and broadcasts it. A message that is sent by cable and by HTTP under one client id is
 * one message.
 * @returns the message's id, and whether it was already written under the same client id.
 * @throws Refusal 403 for guests and muted players; 404 for an unknown session; 422 for insults and links, and for the client
 *   id of another message; 429 too soon after the player's last message. Nothing changes then.
 */
export async function createMessage(
  deps: Pick<Deps, "pool" | "notifyRelay">,
  message: NewMessage,
): Promise<{ messageId: number; replayed: boolean }> {
  const { viewer, body, clientId } = message;
  if (viewer.guest) throw guestRefused();
  const admin = isAdmin(viewer);
  refuseUnfitText(body, { links: admin ? "allowed" : "refused" });
  const userId = viewer.id;
  const sessionId = await requireSessionId(deps.pool.db, message.sessionId, viewer);
  const written = await inTransaction(deps.pool.db, async (tx) => {
    // Serializes the player's messages in all sessions.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
    const replayedId = await findReplayed(tx, { sessionId, userId, body, clientId });
    if (replayedId !== null) return { messageId: replayedId, replayed: true };
    await lockAgainstDeletion(tx, sessionId);
    await checkMute(tx, { sessionId, userId });
    await checkMessageRate(tx, { sessionId, userId, admin });
    return {
      messageId: await insertMessage(tx, { sessionId, userId, body, clientId, admin }),
      replayed: false,
    };
  });
  deps.notifyRelay();
  return written;
}

type MessageValues = { sessionId: number; userId: number; body: string; clientId: string };

async function findReplayed(tx: Transaction, values: MessageValues): Promise<number | null> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.userId, values.userId), eq(messages.clientId, values.clientId)));
  if (row === undefined) return null;
  if (row.sessionId === values.sessionId && row.body === values.body) return row.id;
  throw keyReused("message");
}

async function checkMute(
  tx: Transaction,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const minutesLeft = sql<number>`ceil(extract(epoch FROM ${mutes.until} - game_now()) / 60)::int`;
  const [mute] = await tx
    .select({ reason: mutes.reason, minutes: minutesLeft })
    .from(mutes)
    .where(and(eq(mutes.sessionId, sessionId), eq(mutes.userId, userId)));
  if (mute === undefined || mute.minutes < 1) return;
  const wait = mute.minutes === 1 ? "a minute" : `${mute.minutes} minutes`;
  throw new Refusal(403, "muted", `You cannot write here for ${wait}: ${mute.reason}`);
}

/** A host's own message needs nobody's approval. */
async function insertMessage(
  tx: Transaction,
  { admin, ...values }: MessageValues & { admin: boolean },
): Promise<number> {
  const [row] = await tx
    .insert(messages)
    .values({ ...values, createdAt: sql`game_now()`, approvedAt: admin ? sql`game_now()` : null })
    .returning({ id: messages.id });
  if (row === undefined) throw new Error("the insert of a message returned no row");
  await writeFact(tx, { kind: "message_created", messageId: row.id });
  return row.id;
}
