import { createHmac } from "node:crypto";
import type { EventRow } from "#src/events/with-event.ts";
import type { EventResult } from "#src/settlements/contract.ts";

/**
 * The result that an event resolves itself to. A random one depends on the event, its round and the installation's secret
 * alone: a timer that runs twice decides the same, and nobody can know it before.
 * @returns "void" for an event without a planned result: then nobody has resolved it in time, and everybody is refunded.
 */
export function autoResult(
  { id, round, autoResult: planned }: Pick<EventRow, "id" | "round" | "autoResult">,
  secret: string,
): EventResult {
  if (planned === null) return "void";
  if (planned !== "random") return planned;
  const [byte = 0] = createHmac("sha256", secret).update(`auto-result ${id} ${round}`).digest();
  return byte % 2 === 0 ? "true" : "false";
}
