import * as v from "valibot";
import { readBody } from "#src/http/read-body.ts";
import { invalid } from "#src/http/refusal.ts";
import { eventPositionsBody } from "./contract.ts";

/**
 * Reads `{events: [{id, position}]}`. Only the order of the positions counts: a gap between them does no harm.
 * @returns the ids of the events in that order.
 * @throws Refusal 400 without the root key; 422 for anything else than such a list, and where an event or a position comes
 *   twice.
 */
export function readOrder(body: unknown): number[] {
  const read = v.safeParse(eventPositionsBody, readBody(body, "events", v.unknown()));
  if (!read.success) throw noOrder();
  const wanted = read.output.toSorted((one, other) => one.position - other.position);
  const ids = wanted.map(({ id }) => id);
  const places = new Set(wanted.map(({ position }) => position));
  if (new Set(ids).size < ids.length || places.size < ids.length) throw noOrder();
  return ids;
}

const noOrder = () => invalid({ events: ["is invalid"] });
