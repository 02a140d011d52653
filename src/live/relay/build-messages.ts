import type { Fact } from "#src/base/outbox/write-fact.ts";
import { buildCallMessages, type CallFact } from "./build-call-messages.ts";
import { buildClosedCallMessages, buildEventMessages, type EventChanged } from "./build-event-messages.ts";
import { buildNotificationMessages, buildNotificationsReadMessages } from "./build-notification-messages.ts";
import { buildAvatarMessages, buildWalletMessages } from "./build-player-messages.ts";
import {
  buildChatMessages,
  buildRenameMessages,
  buildSessionDestroyedMessages,
  buildSessionMessages,
} from "./build-session-messages.ts";
import { buildSettlementMessages } from "./build-settlement-messages.ts";
import type { MessageContext, Messages } from "./message-context.ts";

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

type GroupedFact = Extract<
  Fact,
  { kind: "calls_placed" | "call_cancelled" | "wallet_changed" | "event_changed" }
>;

function groupOf(fact: Fact): "wallets" | "events" | null {
  if (!isGrouped(fact)) return null;
  return fact.kind === "event_changed" ? "events" : "wallets";
}

function isGrouped(fact: Fact): fact is GroupedFact {
  const { kind } = fact;
  return (
    kind === "calls_placed" ||
    kind === "call_cancelled" ||
    kind === "wallet_changed" ||
    kind === "event_changed"
  );
}

async function* buildRunMessages(context: MessageContext, run: readonly Fact[]): Messages {
  const calls: CallFact[] = [];
  const userIds: number[] = [];
  const changes: EventChanged[] = [];
  for (const fact of run) {
    if (!isGrouped(fact)) yield* buildFactMessages(context, fact);
    else if (fact.kind === "event_changed") changes.push(fact);
    else if (fact.kind === "wallet_changed") userIds.push(fact.userId);
    else calls.push(fact);
  }
  yield* buildEventMessages(context, changes);
  const { messages, playerIds } = await buildCallMessages(context, calls);
  yield messages;
  yield* buildWalletMessages(context, [...userIds, ...playerIds]);
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

/** Facts about one player. */
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
