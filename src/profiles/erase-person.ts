import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { auditPersonal } from "#db/schema/audit.ts";
import { blobs } from "#db/schema/blobs.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { mails } from "#db/schema/mails.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { notifications } from "#db/schema/notifications.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { invitationUses } from "#db/schema/site.ts";
import { depositLimits, statedAges } from "#db/schema/spending.ts";
import { tokens } from "#db/schema/tokens.ts";
import { identities, knownBrowsers, signIns, userRoles } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { bySlot, streamKey } from "#src/base/redis-keys.ts";
import { chatStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { rates } from "#src/http/rates.ts";
import { removeAvatar } from "#src/people/pictures/attach-avatar.ts";
import { findShownMessages } from "./publish-rename.ts";

// Decision: all that says who somebody was goes in one transaction, and a sweep repeats it for what was written meanwhile.

/** The text of a deleted message: a message cannot be empty. */
const NO_TEXT = "-";

/** The tables whose rows of a user tell who the user was, and are needed by nothing else. Push subscriptions before sign-ins. */
const personalTables = [
  accessTokens,
  auditPersonal,
  depositLimits,
  idempotencyKeys,
  identities,
  invitationUses,
  knownBrowsers,
  mutes,
  notifications,
  passkeys,
  pushSubscriptions,
  reminders,
  removedPlayers,
  sessionHosts,
  shares,
  signIns,
  statedAges,
  tokens,
  userRoles,
] as const;

/**
 * Deletes all personal data of a user, except in the user's own row. Repeating it deletes what was written meanwhile.
 * @param user the email that it had; null if it is not known any more.
 * @returns the sessions whose streams may have the user's name.
 */
export async function erasePerson(
  tx: Transaction,
  { id, email }: { id: number; email: string | null },
): Promise<number[]> {
  await removeAvatar(tx, { id });
  await tx
    .update(blobs)
    .set({ filename: "deleted", attachedAt: null, discardedAt: sql`clock_timestamp()` })
    .where(and(eq(blobs.uploadedById, id), or(isNull(blobs.discardedAt), ne(blobs.filename, "deleted"))));
  for (const table of personalTables) await tx.delete(table).where(eq(table.userId, id));
  const toUser = eq(mails.userId, id);
  await tx.delete(mails).where(email === null ? toUser : or(toUser, eq(mails.recipient, email)));
  const chatIds = await eraseMessages(tx, id);
  const joined = await tx
    .update(registrations)
    .set({ displayName: `gone_${id}` })
    .where(eq(registrations.userId, id))
    .returning({ sessionId: registrations.sessionId });
  await recordPlayerChange(tx, { userId: id, sessionId: null });
  return [...new Set([...chatIds, ...joined.map(({ sessionId }) => sessionId)])];
}

/** The messages stay in their place, without their text, like those that an admin deletes. @returns the ids of their sessions. */
async function eraseMessages(tx: Transaction, userId: number): Promise<number[]> {
  const visible = await findShownMessages(tx, userId);
  const erased = await tx
    .update(messages)
    .set({
      body: NO_TEXT,
      clientId: sql`${messages.id}::text`,
      deletedAt: sql`coalesce(${messages.deletedAt}, game_now())`,
    })
    .where(and(eq(messages.userId, userId), ne(messages.body, NO_TEXT)))
    .returning({ sessionId: messages.sessionId });
  await writeFacts(
    tx,
    visible.map(({ id }) => ({ kind: "message_destroyed" as const, messageId: id })),
  );
  return erased.map(({ sessionId }) => sessionId);
}

/**
 * Deletes what Redis has of a deleted account: the messages with its name in the histories of streams, and the rate counts of its
 * address. A page that reconnects then finds a gap in the history and reads its data again. While Redis is away this is logged
 * only: histories expire 5 minutes after the last message.
 */
export async function eraseInRedis(
  { redis, log }: Pick<Deps, "redis" | "log">,
  { userId, email, sessionIds }: { userId: number; email: string | null; sessionIds: readonly number[] },
): Promise<void> {
  const histories = [userStream(userId), ...sessionIds.flatMap((id) => [sessionStream(id), chatStream(id)])];
  const counts = [email, String(userId)].flatMap((account) =>
    account === null ? [] : Object.values(rates).map(({ name }) => `rate:${name}:account:${account}`),
  );
  try {
    const keys = [...histories.map((stream) => streamKey(redis, stream)), ...counts];
    await bySlot(redis, { items: keys, keyOf: (key) => key }, async (some) => [await redis.del(...some)]);
  } catch (error) {
    log.warn({ err: error, userId }, "could not delete the messages of a deleted account from Redis");
  }
}
