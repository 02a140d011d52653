import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Sets which of both spots of an event won; after a void neither did (`won` is null). The event's gate is held.
 * `at` is the time on the database's clock, ISO 8601. A correction keeps the first `resolvedAt`.
 * @throws Refusal 422 unless both are closed.
 */
export async function resolveSpots(
  tx: Transaction,
  eventId: number,
  { result, at }: { result: "true" | "false" | "void"; at: string },
): Promise<void> {
  await moveSpots(tx, [eventId], "resolve_spot", {
    won: result === "void" ? sql`NULL` : sql`${spots.side} = ${result}`,
    resolvedAt: sql`coalesce(${spots.resolvedAt}, ${at}::timestamptz)`,
  });
}
