import type { Fact } from "#src/outbox.ts";
import { tellAvatar } from "./tell-avatar.ts";
import { tellCalls } from "./tell-calls.ts";
import { tellEventChange } from "./tell-event-change.ts";
import { tellSessionChange, tellSessionEnd } from "./tell-session-change.ts";
import { tellSettlement } from "./tell-settlement.ts";
import { tellWallets } from "./tell-wallets.ts";
import type { Messages, Telling } from "./telling.ts";

/** Turns facts into messages, through the rooms' own reads: what goes out is as things stand now. */
export async function* tellFacts(telling: Telling, facts: readonly Fact[]): Messages {
  let wallets: Fact[] = [];
  for (const fact of facts) {
    // Placing comes in crowds: a run of it is told with one look at each wallet.
    if (isOfWallets(fact)) wallets.push(fact);
    else {
      yield* tellRun(telling, wallets);
      wallets = [];
      yield* tellFact(telling, fact);
    }
  }
  yield* tellRun(telling, wallets);
}

const isOfWallets = ({ kind }: Fact) =>
  kind === "calls_placed" || kind === "call_cancelled" || kind === "wallet_changed";

async function* tellRun(telling: Telling, facts: readonly Fact[]): Messages {
  const callIds = facts.flatMap((fact) => {
    if (fact.kind === "calls_placed") return fact.callIds;
    return fact.kind === "call_cancelled" ? [fact.callId] : [];
  });
  const userIds = facts.flatMap((fact) => (fact.kind === "wallet_changed" ? [fact.userId] : []));
  const callers = await tellCalls(telling, callIds);
  yield* tellWallets(telling, [...userIds, ...callers]);
}

async function* tellFact(telling: Telling, fact: Fact): Messages {
  switch (fact.kind) {
    case "avatar_changed":
      return yield* tellAvatar(telling, fact);
    case "event_changed":
      return yield* tellEventChange(telling, fact);
    case "event_settled":
      return yield* tellSettlement(telling, fact);
    case "session_changed":
      return yield* tellSessionChange(telling, fact);
    case "session_destroyed":
      return yield* tellSessionEnd(telling, fact);
    case "calls_placed":
    case "call_cancelled":
    case "wallet_changed":
      return yield* tellRun(telling, [fact]);
  }
}
