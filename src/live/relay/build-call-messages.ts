import type { Fact } from "#src/base/outbox/write-fact.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { forUser } from "./address-message.ts";
import { collectChangedPools } from "./build-pool-message.ts";
import { type ChangedCall, findChangedCalls } from "./find-changed-calls.ts";
import type { MessageContext } from "./message-context.ts";

export type CallFact = Extract<Fact, { kind: "calls_placed" | "call_cancelled" }>;
type CallChange = { callId: number; eventType: "place_call" | "cancel_call" };

/**
 * A message for each call that was placed or taken back, to all sockets of its player, in the order of the facts. The pools of
 * their events are broadcast later.
 * @returns the messages, and the players, whose wallets have changed.
 */
export async function buildCallMessages(
  context: Pick<MessageContext, "tx" | "serverTime" | "changedPools">,
  facts: readonly CallFact[],
): Promise<{ messages: Broadcast[]; playerIds: number[] }> {
  const { tx, serverTime } = context;
  const changes = facts.flatMap(changesIn);
  const callIds = changes.map(({ callId }) => callId);
  const changedCalls = await findChangedCalls(tx, callIds, new Date(serverTime));
  collectChangedPools(context, [...changedCalls.values()]);
  const messages = changes.flatMap(({ callId, eventType }) => {
    const changed = changedCalls.get(callId);
    return changed === undefined ? [] : [callMessage(changed, { eventType, serverTime })];
  });
  return { messages, playerIds: [...changedCalls.values()].map(({ call }) => call.userId) };
}

function changesIn(fact: CallFact): CallChange[] {
  if (fact.kind === "call_cancelled") return [{ callId: fact.callId, eventType: "cancel_call" }];
  return fact.callIds.map((callId) => ({ callId, eventType: "place_call" }));
}

function callMessage(
  { call, idempotencyKey, eventVersion: version }: ChangedCall,
  { eventType, serverTime }: Pick<CallChange, "eventType"> & { serverTime: string },
): Broadcast {
  return forUser(call.userId, {
    sourceType: "Call",
    ...(eventType === "place_call"
      ? { eventType, detail: { call, idempotencyKey, version, serverTime } }
      : { eventType, detail: { call, version, serverTime } }),
  });
}
