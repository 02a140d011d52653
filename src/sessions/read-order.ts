import { invalid } from "#src/base/refusal.ts";
import type { EventPositionsBody } from "./schemas.ts";

/**
 * The ids of the events in the order of their positions; a gap between them does no harm.
 * @throws Refusal 422 where an event or a position comes twice.
 */
export function readOrder(positions: EventPositionsBody): number[] {
  const wanted = positions.toSorted((one, other) => one.position - other.position);
  const ids = wanted.map(({ id }) => id);
  const places = new Set(wanted.map(({ position }) => position));
  if (new Set(ids).size < ids.length || places.size < ids.length) throw invalid({ events: ["is invalid"] });
  return ids;
}
