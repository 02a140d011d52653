import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/write-array.ts";
import type { EventResult } from "#db/lists/events.ts";
import { spots } from "#db/schema/events.ts";
import { winnerOf } from "./contract.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Sets which of both spots of these events won; after a void neither did (`won` is null). The events' gates are held.
 * @param results by event.
 * @param at the time on the database's clock, ISO 8601. A correction keeps the first `resolvedAt`.
 * @throws Refusal 422 unless all are closed.
 */
export async function resolveSpots(
  tx: Transaction,
  results: ReadonlyMap<number, EventResult>,
  at: string,
): Promise<void> {
  const ids = [...results.keys()];
  const sides = [...results.values()].map((result) => winnerOf[result]);
  const winner = sql`(${writeTextArray(sides)}::text[])[array_position(${writeIntegerArray(ids)}::bigint[], ${spots.eventId})]`;
  await moveSpots(tx, ids, "resolve_spot", {
    won: sql`${spots.side} = ${winner}`,
    resolvedAt: sql`coalesce(${spots.resolvedAt}, ${at}::timestamptz)`,
  });
}
