import type { Fact } from "#src/outbox.ts";
import { tellAvatar } from "./tell-avatar.ts";
import { tellCalls } from "./tell-calls.ts";
import { type EventChanged, tellEventChanges } from "./tell-event-changes.ts";
import { tellNotifications } from "./tell-notifications.ts";
import { tellSessionChange, tellSessionEnd } from "./tell-session-change.ts";
import { tellSettlement } from "./tell-settlement.ts";
import { tellWallets } from "./tell-wallets.ts";
import type { Messages, Telling } from "./telling.ts";

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

function crowdOf({ kind }: Fact): "wallets" | "events" | null {
  if (kind === "event_changed") return "events";
  return kind === "calls_placed" || kind === "call_cancelled" || kind === "wallet_changed" ? "wallets" : null;
}

async function* tellRun(telling: Telling, run: readonly Fact[]): Messages {
  const crowd = { callIds: [] as number[], userIds: [] as number[], changes: [] as EventChanged[] };
  for (const fact of run) {
    switch (fact.kind) {
      case "calls_placed":
        crowd.callIds.push(...fact.callIds);
        break;
      case "call_cancelled":
        crowd.callIds.push(fact.callId);
        break;
      case "wallet_changed":
        crowd.userIds.push(fact.userId);
        break;
      case "event_changed":
        crowd.changes.push(fact);
        break;
      case "avatar_changed":
        yield* tellAvatar(telling, fact);
        break;
      case "notifications_created":
        yield* tellNotifications(telling, fact);
        break;
      case "event_settled":
        yield* tellSettlement(telling, fact);
        break;
      case "session_changed":
        yield* tellSessionChange(telling, fact);
        break;
      case "session_destroyed":
        yield* tellSessionEnd(telling, fact);
        break;
    }
  }
  yield* tellEventChanges(telling, crowd.changes);
  const callers = await tellCalls(telling, crowd.callIds);
  yield* tellWallets(telling, [...crowd.userIds, ...callers]);
}
