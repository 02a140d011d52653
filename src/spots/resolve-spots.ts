import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Sets which of both spots of these events won; after a void neither did (`won` is null). The events' gates are held.
 * `at` is the time on the database's clock, ISO 8601. A correction keeps the first `resolvedAt`.
 * @throws Refusal 422 unless all are closed.
 */
export async function resolveSpots(
  tx: Transaction,
  eventIds: readonly number[],
  { result, at }: { result: "true" | "false" | "void"; at: string },
): Promise<void> {
  await moveSpots(tx, eventIds, "resolve_spot", {
    won: result === "void" ? sql`NULL` : sql`${spots.side} = ${result}`,
    resolvedAt: sql`coalesce(${spots.resolvedAt}, ${at}::timestamptz)`,
  });
}
