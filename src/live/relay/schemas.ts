import * as v from "valibot";
import { eventChanges, sessionChanges } from "#db/lists/changes.ts";
import { reactionKinds } from "#db/lists/reactions.ts";
import { sides } from "#db/lists/spots.ts";
import { cents, dollars, moment, rowId } from "#src/http/schemas.ts";
import { walletSchema } from "#src/money/wallet/schemas.ts";
import { avatarSchema } from "#src/people/avatars/schemas.ts";
import { notificationSchema } from "#src/people/notifications/schemas.ts";
import { callSchema } from "#src/play/calls/schemas.ts";
import { messageSchema } from "#src/play/chat/schemas.ts";
import { scoreSchema } from "#src/play/leaderboard/schemas.ts";
import { poolSchema } from "#src/play/spots/schemas.ts";
import { teamSchema } from "#src/play/teams/schemas.ts";
import { eventSchema } from "#src/show/events/schemas.ts";
import { hostsMessage } from "#src/show/hosting/schemas.ts";
import { sessionSchema } from "#src/show/sessions/schemas.ts";

const serverTime = moment;
/** A page that has a newer version of the same thing ignores the message. */
const version = v.number();

/** A message about one kind of thing: its changes, and what it says beside the version and the time. */
const message = <
  Source extends string,
  const Changes extends readonly string[],
  Detail extends v.ObjectEntries,
>(
  source: Source,
  changes: Changes,
  detail: Detail,
) =>
  v.object({
    sourceType: v.literal(source),
    eventType: v.picklist(changes),
    detail: v.object({ ...detail, version, serverTime }),
  });

/** A message that changes the balance has the wallet: `balance_change` says the other changes. The release before 0.5 leaves it out. */
const walletAfter = { wallet: v.optional(walletSchema) };

/**
 * A message on a player's own UserChannel: all sockets of the player receive it. `version` is the event's in a message about a
 * call. A call is shown as it is at the time of sending. Example: of a call that is taken back at once, place_call already has
 * the state soft_destroyed. A call's state never goes back, so a client keeps the later of two states.
 */
export const userMessage = v.variant("eventType", [
  /** `idempotencyKey` is that of the request: the page that placed the call recognizes its own call by it. */
  message("Call", ["place_call"], { call: callSchema, idempotencyKey: v.string(), ...walletAfter }),
  /** The call was taken back by its player or an admin, or refunded because its event was skipped or reset. */
  message("Call", ["cancel_call"], { call: callSchema, ...walletAfter }),
  message("Call", ["close_call"], { call: callSchema }),
  message("Call", ["resolve_call"], {
    call: callSchema,
    eventId: rowId,
    result: v.nullable(v.boolean()),
    voided: v.boolean(),
    reason: v.nullable(v.string()),
    wallet: walletSchema,
  }),
  /** `unreadCount` is that of the time of sending; the version is the notification's id. */
  message("Notification", ["create"], { notification: notificationSchema, unreadCount: v.number() }),
  /** Notifications up to this id were read or cleared in some window; `unreadCount` as above, the version is this id. */
  message("Notification", ["read"], { upToId: rowId, unreadCount: v.number() }),
  message("Wallet", ["balance_change"], { wallet: walletSchema }),
  /** The version is the avatar's. */
  message("User", ["avatar"], { avatar: avatarSchema, username: v.optional(v.string()) }),
]);
export type UserMessage = v.InferOutput<typeof userMessage>;

/**
 * A message on a SessionsChannel. It goes to everyone in the session and contains nothing about one viewer. Chat messages
 * go only to clients that have an account, and what hosts are about to do only to admins.
 */
export const sessionMessage = v.variant("sourceType", [
  /** `myCalls` is always empty here, and `plan` null. */
  message("Event", eventChanges, { event: eventSchema }),
  /** `registered` is always false here. `namesChanged`: a player has another name, so what a page keeps of players is of before. */
  message("Session", sessionChanges, { session: sessionSchema, namesChanged: v.optional(v.literal(true)) }),
  message("Session", ["destroy"], { sessionId: rowId }),
  message("Spot", ["pool"], {
    eventId: rowId,
    pool: poolSchema,
    callsCount: v.number(),
    /** The newest calls since the last message, at most 5, for the ticker. */
    latest: v.array(
      v.object({ username: v.string(), side: v.picklist(sides), wager: dollars, wagerCents: cents }),
    ),
  }),
  message("Score", ["leaders"], {
    leaders: v.array(scoreSchema),
    totalCount: v.number(),
    /** By rank; left out in a session without teams. */
    teams: v.optional(v.array(teamSchema)),
  }),
  message("Presence", ["count"], { playersOnline: v.number() }),
  /** How often each kind was sent since the last message; kinds that nobody sent are left out. */
  message("Reaction", ["count"], { counts: v.record(v.picklist(reactionKinds), v.number()) }),
  hostsMessage,
  /** A deleted message has an empty body. An updated one has another name of its player, or was approved. */
  message("Message", ["create", "update", "destroy"], { message: messageSchema }),
  v.object({
    sourceType: v.literal("Message"),
    /** Goes only to the connection that sent the chat message: why it was refused. */
    eventType: v.literal("refuse"),
    detail: v.object({
      clientId: v.nullable(v.string()),
      status: v.number(),
      code: v.string(),
      error: v.string(),
      detail: v.nullable(v.string()),
      retryAfterSeconds: v.nullable(v.number()),
      serverTime,
    }),
  }),
]);
export type SessionMessage = v.InferOutput<typeof sessionMessage>;
