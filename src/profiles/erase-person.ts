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
import { tokens } from "#db/schema/tokens.ts";
import { knownBrowsers, signIns, userRoles } from "#db/schema/users.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { removeAvatar } from "#src/people/pictures/remove-avatar.ts";
import { findShownMessages } from "./find-shown-messages.ts";

// Decision: all that says who somebody was goes in one transaction, and a sweep repeats it for what was written meanwhile.
// A new table with personal data needs a line here, and one in exported-lists.ts.

/** The text of a deleted message: a message cannot be empty. */
const NO_TEXT = "-";

/** The tables whose rows of a user tell who the user was, and are needed by nothing else. Push subscriptions before sign-ins. */
const personalTables = [
  accessTokens,
  auditPersonal,
  idempotencyKeys,
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
