import type { Fact } from "#src/outbox/write-fact.ts";
import type { OutboxRow } from "./outbox-rows.ts";

/** How many calls the facts of one batch may name together, so that a batch stays short and small. */
const NAMED_MAX = 1_000;

/**
 * As many of the waiting facts as may be told in one transaction, at least one. What concerns a crowd goes alone: what is
 * before it must not be told again if it fails.
 */
export function boundBatch(rows: readonly OutboxRow[]): OutboxRow[] {
  let named = 0;
  const end = rows.findIndex(({ fact }) => {
    named += fact?.kind === "calls_placed" ? fact.callIds.length : 1;
    return named > NAMED_MAX || (fact !== null && goesAlone(fact));
  });
  return end < 0 ? [...rows] : rows.slice(0, Math.max(1, end));
}

function goesAlone({ kind }: Fact): boolean {
  return kind === "event_settled" || kind === "notifications_created" || kind.startsWith("rest_of_");
}
