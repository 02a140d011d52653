import { moveItem } from "#client/base/format/move-item.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { isAhead } from "./stage/on-stage.ts";

/**
 * The form fields for a new order of the events that have not opened.
 * @param ids all of them, in the new order.
 */
export function orderFields(ids: readonly number[]): { intent: string; order: string } {
  return { intent: "order", order: ids.join(" ") };
}

/** The field `order` after moving one event by one position: earlier (-1) or later (1). Null if it is at the end already. */
export function orderMoved(events: readonly EventView[], id: number, by: -1 | 1): string | null {
  const ids = events.filter(isAhead).map((event) => event.id);
  const from = ids.indexOf(id);
  if (from < 0 || ids[from + by] === undefined) return null;
  return orderFields(moveItem(ids, from, from + by)).order;
}

/** Reads the field as the API expects it. Only the order of the positions matters. */
export function orderIn(form: FormData): { id: number; position: number }[] {
  const { order } = readForm(form, { order: "text" });
  return order.split(" ").map((id, index) => ({ id: Number(id), position: index + 1 }));
}
