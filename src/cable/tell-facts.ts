import type { Fact } from "#src/outbox.ts";
import { tellAvatar } from "./tell-avatar.ts";
import { tellCalls } from "./tell-calls.ts";
import { type EventChanged, tellEventChanges } from "./tell-event-changes.ts";
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
  const callIds: number[] = [];
  const userIds: number[] = [];
  const changes: EventChanged[] = [];
  for (const fact of run) {
    switch (fact.kind) {
      case "calls_placed":
        callIds.push(...fact.callIds);
        break;
      case "call_cancelled":
        callIds.push(fact.callId);
        break;
      case "wallet_changed":
        userIds.push(fact.userId);
        break;
      case "event_changed":
        changes.push(fact);
        break;
      default:
        yield* tellFact(telling, fact);
    }
  }
  yield* tellEventChanges(telling, changes);
  const callers = await tellCalls(telling, callIds);
  yield* tellWallets(telling, [...userIds, ...callers]);
}

type Lone = Exclude<Fact, EventChanged | { kind: "calls_placed" | "call_cancelled" | "wallet_changed" }>;

async function* tellFact(telling: Telling, fact: Lone): Messages {
  switch (fact.kind) {
    case "avatar_changed":
      return yield* tellAvatar(telling, fact);
    case "event_settled":
      return yield* tellSettlement(telling, fact);
    case "session_changed":
      return yield* tellSessionChange(telling, fact);
    case "session_destroyed":
      return yield* tellSessionEnd(telling, fact);
  }
}
