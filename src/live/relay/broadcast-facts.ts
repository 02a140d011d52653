import type { OutboxRow } from "#src/base/outbox/outbox-rows.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { withOffset } from "#src/base/streams/stream-offsets.ts";
import type { BroadcastFact } from "#src/webhooks/write-deliveries.ts";
import type { RelayedMessage } from "./message-context.ts";

/**
 * The facts that were just broadcast to everyone in a session, for the webhooks: each with the JSON that clients get.
 * @param batch the rows of the facts.
 * @param offsets of the messages, in their order.
 */
export function broadcastFacts(
  batch: readonly OutboxRow[],
  messages: readonly RelayedMessage[],
  offsets: readonly StreamOffset[],
): BroadcastFact[] {
  return messages.flatMap(({ about, text }, index) => {
    const row = about === undefined ? undefined : batch.find(({ fact }) => fact === about.fact);
    const offset = offsets[index];
    if (about === undefined || row === undefined || offset === undefined) return [];
    const wasPrivate = about.fact.kind === "session_destroyed" && about.fact.private === true;
    return [{ factId: row.id, type: about.type, body: withOffset(text, offset), wasPrivate }];
  });
}
