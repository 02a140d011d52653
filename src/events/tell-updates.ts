import type { Transaction } from "#db/client.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { publishedStates } from "./contract.ts";
import type { EventRow } from "./with-event.ts";

/** Has the world told that these events have changed without changing their state; of drafts nobody hears. */
export async function tellUpdates(tx: Transaction, changed: readonly EventRow[]): Promise<void> {
  const published = changed.filter(({ state }) => publishedStates.includes(state));
  await writeFacts(
    tx,
    published.map(({ id }) => ({ kind: "event_changed", eventId: id, change: "update" })),
  );
}
