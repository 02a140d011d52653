import type { Fact } from "#src/outbox/write-fact.ts";
import { tellAvatar } from "./broadcast-avatar.ts";
import { tellCalls } from "./broadcast-calls.ts";
import { tellMessage } from "./broadcast-chat-messages.ts";
import { type EventChanged, tellClosedCalls, tellEventChanges } from "./broadcast-event-changes.ts";
import { noteLeaders } from "./broadcast-leaders.ts";
import { tellNotificationsRead } from "./broadcast-notifications-read.ts";
import { tellNotifications } from "./broadcast-notifications.ts";
import { tellSessionChange, tellSessionEnd } from "./broadcast-session-change.ts";
import { tellSettlement } from "./broadcast-settlement.ts";
import { tellWallets } from "./broadcast-wallets.ts";
import type { Messages, Telling } from "./messages.ts";

/** Turns facts into messages, through the rooms' own reads: what goes out is as things stand now. */
export async function* tellFacts(telling: Telling, facts: readonly Fact[]): Messages {
  for (const run of runsOf(facts)) yield* tellRun(telling, run);
}

/** Placing and closing come in crowds: what stands in a row is told with one look at all of it. */
function runsOf(facts: readonly Fact[]): Fact[][] {
  const runs: Fact[][] = [];
  for (const fact of facts) {
    const run = runs.at(-1);
    const crowd = crowdOf(fact);
    if (crowd !== null && run?.[0] !== undefined && crowdOf(run[0]) === crowd) run.push(fact);
    else runs.push([fact]);
  }
  return runs;
}

type Crowded = Extract<
  Fact,
  { kind: "calls_placed" | "call_cancelled" | "wallet_changed" | "event_changed" }
>;

function crowdOf(fact: Fact): "wallets" | "events" | null {
  if (!isCrowded(fact)) return null;
  return fact.kind === "event_changed" ? "events" : "wallets";
}

function isCrowded(fact: Fact): fact is Crowded {
  const { kind } = fact;
  return (
    kind === "calls_placed" ||
    kind === "call_cancelled" ||
    kind === "wallet_changed" ||
    kind === "event_changed"
  );
}

async function* tellRun(telling: Telling, run: readonly Fact[]): Messages {
  const crowd = { callIds: [] as number[], userIds: [] as number[], changes: [] as EventChanged[] };
  for (const fact of run) {
    if (!isCrowded(fact)) yield* tellFact(telling, fact);
    else if (fact.kind === "calls_placed") crowd.callIds.push(...fact.callIds);
    else if (fact.kind === "call_cancelled") crowd.callIds.push(fact.callId);
    else if (fact.kind === "wallet_changed") crowd.userIds.push(fact.userId);
    else crowd.changes.push(fact);
  }
  yield* tellEventChanges(telling, crowd.changes);
  const callers = await tellCalls(telling, crowd.callIds);
  yield* tellWallets(telling, [...crowd.userIds, ...callers]);
}

type Own = Extract<
  Fact,
  { kind: "avatar_changed" | "notifications_created" | "rest_of_notifications" | "notifications_read" }
>;

function isOwn(fact: Fact): fact is Own {
  const { kind } = fact;
  return (
    kind === "avatar_changed" ||
    kind === "notifications_created" ||
    kind === "rest_of_notifications" ||
    kind === "notifications_read"
  );
}

function tellFact(telling: Telling, fact: Exclude<Fact, Crowded>): Messages {
  if (isOwn(fact)) return tellOwn(telling, fact);
  switch (fact.kind) {
    case "event_settled":
    case "rest_of_settlement":
      return tellSettlement(telling, fact);
    case "rest_of_close":
      return tellClosedCalls(telling, fact);
    case "leaders_changed":
      return noteLeaders(telling, fact);
    case "message_created":
    case "message_destroyed":
      return tellMessage(telling, fact);
    case "session_changed":
      return tellSessionChange(telling, fact);
    case "session_destroyed":
      return tellSessionEnd(telling, fact);
  }
}

/** What concerns players one by one. */
function tellOwn(telling: Telling, fact: Own): Messages {
  switch (fact.kind) {
    case "avatar_changed":
      return tellAvatar(telling, fact);
    case "notifications_created":
    case "rest_of_notifications":
      return tellNotifications(telling, fact);
    case "notifications_read":
      return tellNotificationsRead(telling, fact);
  }
}
