import { and, eq, gt, inArray, isNull, sql, ne, or } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { lockWallet } from "#db/ledger/locks.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { auditPersonal } from "#db/schema/audit.ts";
import { blobs } from "#db/schema/blobs.ts";
import { calls } from "#db/schema/calls.ts";
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
import { breaks, depositLimits, statedAges } from "#db/schema/spending.ts";
import { tokens } from "#db/schema/tokens.ts";
import { users, identities, knownBrowsers, signIns, userRoles } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import { ago } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { bySlot, streamKey } from "#src/base/redis-keys.ts";
import { forbidden, invalid, Refusal, unauthenticated } from "#src/base/refusal.ts";
import { chatStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { rates } from "#src/http/rates.ts";
import { checkOwnPasskey } from "#src/people/passkeys/check-own-passkey.ts";
import { removeAvatar } from "#src/people/pictures/attach-avatar.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { checkOwnPassword } from "#src/people/sign-ins/lock-account.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { keepBreak } from "#src/people/users/kept-break.ts";
import { hasAdminRole } from "#src/people/users/roles-of-user.ts";
import { activeCallStates } from "#src/play/calls/contract.ts";
import { findShownMessages } from "./publish-rename.ts";
import type { DeleteAccountBody } from "./schemas.ts";

// Decision: the books are append-only, so the user's row stays as the owner of an anonymous wallet, with its calls, payments and
// results. Everything that says who the player was is deleted at once, in one transaction (the sweep deletes the bytes of pictures, and
// what was written meanwhile). What the wallet holds stays in the books: nobody can use it any more. Open calls are waited for, because
// their player would never see the result. A new table with personal data needs a line here, and one in export-account.ts.

/**
 * Deletes the user's own account, for good: name, address, phone number, picture, messages, links, devices and sign-ins go. All
 * browsers are signed out, and leaderboards show an anonymous name. The guests that are a part of the account go with it.
 * Refuses a wrong password (422) or passkey (401), an admin, so that there is always one left (403), and a player with open calls (409).
 */
export async function deleteAccount(
  deps: Deps,
  { viewer, signInId, ...proof }: { viewer: Viewer; signInId: string | null } & DeleteAccountBody,
): Promise<void> {
  if (await hasAdminRole(deps.pool.db, viewer.id))
    throw forbidden("An admin stays. Have another admin take your role first.");
  await checkProof(deps, { userId: viewer.id, signInId }, proof);
  const { ended, sessionIds } = await inTransaction(deps.pool.db, async (tx) => {
    await lockWallet(tx, viewer.id);
    await keepBreak(tx, { userId: viewer.id, email: viewer.email });
    await refuseOpenCalls(tx, viewer.id);
    await anonymize(tx, viewer);
    const guestIds = await anonymizeGuests(tx, viewer);
    for (const id of [viewer.id, ...guestIds]) {
      await writeAudit(tx, {
        actor: viewer,
        action: "delete_account",
        subject: { type: "user", id },
        before: { deleted: false },
        after: { deleted: true },
      });
    }
    const ended = await endSignIns(tx, { userId: viewer.id });
    for (const id of guestIds) await erasePerson(tx, { id, email: null });
    return { ended, sessionIds: await erasePerson(tx, { id: viewer.id, email: viewer.email }) };
  });
  await disconnectSignIns(deps, ended);
  deps.notifyRelay();
  await eraseInRedis(deps, { userId: viewer.id, email: viewer.email, sessionIds });
}

/** A user proves to be the one by the password or by a passkey. */
async function checkProof(
  deps: Deps,
  signedIn: { userId: number; signInId: string | null },
  { currentPassword, credential }: DeleteAccountBody,
): Promise<void> {
  if (credential !== undefined) return checkOwnPasskey(deps, signedIn, credential);
  if (currentPassword === undefined) throw invalid({ currentPassword: ["is required"] });
  await checkOwnPassword(deps, signedIn, currentPassword);
}

/** Refuses (401) if another request was faster. */
async function anonymize(tx: Transaction, { id }: Viewer): Promise<void> {
  const anonymized = await tx
    .update(users)
    .set({
      email: null,
      username: `gone_${id}`,
      phone: null,
      passwordHash: null,
      preferences: {},
      failedAttempts: 0,
      lockedAt: null,
      confirmedAt: null,
      confirmBy: null,
      deactivatedAt: sql`clock_timestamp()`,
      deletedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, id), isNull(users.deactivatedAt)))
    .returning({ id: users.id });
  if (anonymized.length === 0) throw unauthenticated();
}

/** The guests that are a part of the account. @returns their ids. */
async function anonymizeGuests(tx: Transaction, { id }: Viewer): Promise<number[]> {
  const guests = await tx
    .update(users)
    .set({ username: `gone_${id}`, deletedAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .where(eq(users.mergedInto, id))
    .returning({ id: users.id });
  return guests.map((guest) => guest.id);
}

async function refuseOpenCalls(tx: Transaction, userId: number): Promise<void> {
  const open = await tx.$count(
    calls,
    and(eq(calls.userId, userId), inArray(calls.state, [...activeCallStates])),
  );
  if (open === 0) return;
  const what = open === 1 ? "an open call" : `${open} open calls`;
  throw new Refusal(409, "open_calls", `You have ${what}.`, {
    detail: "Wait for the result or take the call back. Then delete the account.",
  });
}

/** Requests that were under way when the account was deleted have ended by then. */
const SWEPT_MINUTES = 15;

/**
 * Erases again what requests have written that were under way while their account was deleted. Example: a first call registers its
 * player by the name that the request began with.
 */
export async function sweepDeletedAccounts(deps: Deps): Promise<void> {
  const deleted = await deps.pool.db
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.deletedAt, ago(SWEPT_MINUTES, "mins")), notPaused("deleted_account", users.id)));
  const erase = async ({ id }: { id: number }) => {
    const sessionIds = await inTransaction(deps.pool.db, (tx) => erasePerson(tx, { id, email: null }));
    await eraseInRedis(deps, { userId: id, email: null, sessionIds });
  };
  await tryRows(deps, deleted, erase, { kind: "deleted_account", idOf: ({ id }) => id });
}

/** The text of a deleted message: a message cannot be empty. */
const NO_TEXT = "-";

/** The tables whose rows of a user tell who the user was, and are needed by nothing else. Push subscriptions before sign-ins. */
const personalTables = [
  accessTokens,
  auditPersonal,
  breaks,
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
