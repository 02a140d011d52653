import { asc, eq } from "drizzle-orm";
import { anyOf } from "#db/ledger/query.ts";
import { notifications } from "#db/schema/notifications.ts";
import { users } from "#db/schema/users.ts";
import type { CallCursor, Fact } from "#src/base/outbox/write-fact.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { findWalletViews } from "#src/money/wallet/find-wallet-view.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { presentAvatar, readAvatar } from "#src/people/avatars/present-avatar.ts";
import { countUnread, presentNotification } from "#src/people/notifications/find-notifications.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { forUser, type MessageContext, type Messages } from "./address-message.ts";
import {
  buildClosedCallMessages,
  buildEventMessages,
  type ChangedCall,
  type EventChanged,
  findCallsSlice,
  findChangedCalls,
} from "./build-event-messages.ts";
import {
  buildChatMessages,
  buildRenameMessages,
  buildSessionDestroyedMessages,
  buildSessionMessages,
} from "./build-session-messages.ts";
import { collectChangedPools } from "./coalesced-messages.ts";

const NOTIFICATIONS_AT_ONCE = 500;

/**
 * Turns facts into messages, in the order of the facts. A message shows the rows as they are now, not as they were when the
 * fact was written.
 */
export async function* buildMessages(context: MessageContext, facts: readonly Fact[]): Messages {
  for (const run of runsOf(facts)) yield* buildRunMessages(context, run);
}

/**
 * Groups consecutive facts whose rows can be read together. Example: 40 placed calls and 3 changed wallets in a row are
 * read by two queries for the calls and two for the wallets.
 */
function runsOf(facts: readonly Fact[]): Fact[][] {
  const runs: Fact[][] = [];
  for (const fact of facts) {
    const run = runs.at(-1);
    const group = groupOf(fact);
    if (group !== null && run?.[0] !== undefined && groupOf(run[0]) === group) run.push(fact);
    else runs.push([fact]);
  }
  return runs;
}

type GroupedFact = CallFact | EventChanged | Extract<Fact, { kind: "wallet_changed" }>;

const walletKinds: readonly Fact["kind"][] = ["calls_placed", "call_cancelled", "wallet_changed"];

function groupOf({ kind }: Fact): "wallets" | "events" | null {
  if (kind === "event_changed") return "events";
  return walletKinds.includes(kind) ? "wallets" : null;
}

async function* buildRunMessages(context: MessageContext, run: readonly Fact[]): Messages {
  const calls: CallFact[] = [];
  const userIds: number[] = [];
  const changes: EventChanged[] = [];
  for (const fact of run) {
    if (fact.kind === "event_changed") changes.push(fact);
    else if (fact.kind === "wallet_changed") userIds.push(fact.userId);
    else if (fact.kind === "calls_placed" || fact.kind === "call_cancelled") calls.push(fact);
    else yield* buildFactMessages(context, fact);
  }
  yield* buildEventMessages(context, changes);
  const { messages, playerIds } = await buildCallMessages(context, calls);
  yield messages;
  yield* buildWalletMessages(
    context,
    userIds.filter((id) => !playerIds.has(id)),
  );
}

type PlayerFact = Extract<
  Fact,
  { kind: "avatar_changed" | "notifications_created" | "rest_of_notifications" | "notifications_read" }
>;

function isPlayerFact(fact: Fact): fact is PlayerFact {
  const { kind } = fact;
  return (
    kind === "avatar_changed" ||
    kind === "notifications_created" ||
    kind === "rest_of_notifications" ||
    kind === "notifications_read"
  );
}

function buildFactMessages(context: MessageContext, fact: Exclude<Fact, GroupedFact>): Messages {
  if (isPlayerFact(fact)) return buildPlayerMessages(context, fact);
  switch (fact.kind) {
    case "event_settled":
    case "rest_of_settlement":
      return buildSettlementMessages(context, fact);
    case "rest_of_close":
      return buildClosedCallMessages(context, fact);
    case "leaders_changed":
      return collectChangedLeaders(context, fact);
    case "message_created":
    case "message_changed":
    case "message_destroyed":
      return buildChatMessages(context, fact);
    case "session_changed":
      return buildSessionMessages(context, { ...fact, fact });
    case "session_destroyed":
      return buildSessionDestroyedMessages(context, fact);
  }
}

async function* buildPlayerMessages(context: MessageContext, fact: PlayerFact): Messages {
  switch (fact.kind) {
    case "avatar_changed":
      yield* buildAvatarMessages(context, fact);
      if (fact.renamed === true) yield* buildRenameMessages(context, fact);
      break;
    case "notifications_created":
    case "rest_of_notifications":
      yield* buildNotificationMessages(context, fact);
      break;
    case "notifications_read":
      yield* buildNotificationsReadMessages(context, fact);
      break;
  }
}

/** The leaders of a session changed without a settlement. They are broadcast at most once a second. */
async function* collectChangedLeaders(
  { changedLeaders }: Pick<MessageContext, "changedLeaders">,
  { sessionId }: { sessionId: number },
): Messages {
  changedLeaders.add(sessionId);
  yield [];
}

/** One message to each of these players, with the player's current wallet. */
async function* buildWalletMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  userIds: readonly number[],
): Messages {
  const wallets = await findWalletViews(tx, [...new Set(userIds)]);
  yield [...wallets].map(([userId, wallet]) => balanceChange(userId, wallet, serverTime));
}

function balanceChange(userId: number, wallet: WalletView, serverTime: string): Broadcast {
  const detail = { wallet, version: wallet.version, serverTime };
  return forUser(userId, { sourceType: "Wallet", eventType: "balance_change", detail });
}

/** A message to a user, with the user's current name and the pictures of the avatar. */
async function* buildAvatarMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  { userId }: { userId: number },
): Messages {
  const [user] = await tx
    .select({ avatar: users.avatar, username: users.username })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) return;
  const version = readAvatar(user.avatar)?.revision ?? 0;
  const { username } = user;
  const detail = { avatar: presentAvatar(user.avatar), username, version, serverTime };
  yield [forUser(userId, { sourceType: "User", eventType: "avatar", detail })];
}

type CallFact = Extract<Fact, { kind: "calls_placed" | "call_cancelled" }>;
type CallChange = { callId: number; eventType: "place_call" | "cancel_call" };

/**
 * A message for each call that was placed or taken back, with the player's wallet, to all sockets of its player, in the order of the
 * facts. The pools of their events are broadcast later.
 * @returns the messages, and their players.
 */
async function buildCallMessages(
  context: Pick<MessageContext, "tx" | "serverTime" | "changedPools">,
  facts: readonly CallFact[],
): Promise<{ messages: Broadcast[]; playerIds: ReadonlySet<number> }> {
  const { tx, serverTime } = context;
  const changes = facts.flatMap(changesIn);
  const callIds = changes.map(({ callId }) => callId);
  const changedCalls = await findChangedCalls(tx, callIds, new Date(serverTime));
  collectChangedPools(context, [...changedCalls.values()]);
  const playerIds = new Set([...changedCalls.values()].map(({ call }) => call.userId));
  const wallets = await findWalletViews(tx, [...playerIds]);
  const messages = changes.flatMap(({ callId, eventType }) => {
    const changed = changedCalls.get(callId);
    if (changed === undefined) return [];
    return [callMessage(changed, { eventType, serverTime, wallet: wallets.get(changed.call.userId) })];
  });
  return { messages, playerIds };
}

function changesIn(fact: CallFact): CallChange[] {
  if (fact.kind === "call_cancelled") return [{ callId: fact.callId, eventType: "cancel_call" }];
  return fact.callIds.map((callId) => ({ callId, eventType: "place_call" }));
}

type CallChanged = Pick<CallChange, "eventType"> & { serverTime: string; wallet: WalletView | undefined };

function callMessage(
  { call, idempotencyKey, eventVersion: version }: ChangedCall,
  { eventType, serverTime, wallet }: CallChanged,
): Broadcast {
  const detail = { call, wallet, version, serverTime };
  return forUser(call.userId, {
    sourceType: "Call",
    ...(eventType === "place_call"
      ? { eventType, detail: { ...detail, idempotencyKey } }
      : { eventType, detail }),
  });
}

/**
 * A message for each notification to its player, with the player's current number of unread ones. Notifications that were
 * cleared in the meantime are left out. Beyond 500, follow-up facts carry the rest.
 */
async function* buildNotificationMessages(
  { tx, serverTime, followUps }: Pick<MessageContext, "tx" | "serverTime" | "followUps">,
  { notificationIds }: { notificationIds: readonly number[] },
): Messages {
  for (let start = NOTIFICATIONS_AT_ONCE; start < notificationIds.length; start += NOTIFICATIONS_AT_ONCE) {
    const some = notificationIds.slice(start, start + NOTIFICATIONS_AT_ONCE);
    followUps.push({ kind: "rest_of_notifications", notificationIds: some });
  }
  const rows = await tx
    .select()
    .from(notifications)
    .where(anyOf(notifications.id, notificationIds.slice(0, NOTIFICATIONS_AT_ONCE)))
    .orderBy(asc(notifications.id));
  const unread = await countUnread(tx, [...new Set(rows.map(({ userId }) => userId))]);
  yield rows.map((row) =>
    forUser(row.userId, {
      sourceType: "Notification",
      eventType: "create",
      detail: {
        notification: presentNotification(row),
        unreadCount: unread.get(row.userId) ?? 0,
        version: row.id,
        serverTime,
      },
    }),
  );
}

/**
 * A message to all windows of a player whose notifications up to `upToId` were read or cleared in one of them, with the
 * current number of unread ones.
 */
async function* buildNotificationsReadMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  { userId, upToId }: { userId: number; upToId: number },
): Messages {
  const unreadCount = (await countUnread(tx, [userId])).get(userId) ?? 0;
  yield [
    forUser(userId, {
      sourceType: "Notification",
      eventType: "read",
      detail: { upToId, unreadCount, version: upToId, serverTime },
    }),
  ];
}

type SettledCalls = {
  eventId: number;
  round: number;
  /** Continues behind this call. */
  after?: CallCursor;
  /** The players of a part of a large settlement, both ends included; without them all players. */
  fromUserId?: number | undefined;
  toUserId?: number | undefined;
};

/**
 * For each of the next players of a settled event: a message for each of the player's calls, then one with the wallet. A
 * follow-up fact carries the remaining players.
 */
async function* buildSettlementMessages(context: MessageContext, settled: SettledCalls): Messages {
  const { tx, serverTime } = context;
  const { eventId, round, fromUserId = 0, toUserId } = settled;
  const now = new Date(serverTime);
  const [event] = await findEventViews(tx, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    now,
  });
  if (event === undefined) return;
  const after = settled.after ?? { eventId, userId: fromUserId, callId: 0 };
  const { callIds, next } = await findCallsSlice(tx, {
    eventIds: [eventId],
    round,
    states: ["resolved"],
    after,
    toUserId,
  });
  if (next !== null)
    context.followUps.push({ kind: "rest_of_settlement", eventId, round, after: next, toUserId });
  const callViews = await findCallViews(tx, { callIds }, now);
  const wallets = await findWalletViews(tx, [...new Set(callViews.map(({ userId }) => userId))]);
  yield callViews.flatMap((call) => {
    const wallet = wallets.get(call.userId);
    return wallet === undefined ? [] : [resultMessage(call, { event, wallet, serverTime })];
  });
}

function resultMessage(
  call: CallView,
  { event, wallet, serverTime }: { event: EventView; wallet: WalletView; serverTime: string },
): Broadcast {
  const { id: eventId, result, voided, resultReason: reason, version } = event;
  const detail = { call, eventId, result, voided, reason, wallet, version, serverTime };
  return forUser(call.userId, { sourceType: "Call", eventType: "resolve_call", detail });
}
