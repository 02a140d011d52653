import type { EventView } from "#src/events/schemas.ts";
import { textIn } from "../form-fields.ts";
import { isAhead } from "./on-stage.ts";

/**
 * What a form sends for an order of the events that have not opened.
 * @param ids all of them, in the new order.
 */
export function orderFields(ids: readonly number[]): { intent: string; order: string } {
  return { intent: "order", order: ids.join(" ") };
}

/** The same with one event a place earlier (-1) or later (1); null where it is at the end already. */
export function orderMoved(events: readonly EventView[], id: number, by: -1 | 1): string | null {
  const ids = events.filter(isAhead).map((event) => event.id);
  const from = ids.indexOf(id);
  const neighbour = ids[from + by];
  if (from < 0 || neighbour === undefined) return null;
  return orderFields(ids.with(from, neighbour).with(from + by, id)).order;
}

/** Reads it as the API takes it: the positions only say what comes before what. */
export function orderIn(form: FormData): { id: number; position: number }[] {
  return textIn(form, "order")
    .split(" ")
    .map((id, index) => ({ id: Number(id), position: index + 1 }));
}
