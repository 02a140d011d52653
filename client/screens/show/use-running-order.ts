import { useCallback, useMemo, useRef, useState } from "react";
import { moveItem } from "#client/base/format/move-item.ts";
import { serverNow } from "#client/base/live/clock.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { orderFields } from "./order-fields.ts";
import { useShow } from "./show-context.ts";
import { isAhead } from "./stage/on-stage.ts";

/** An order that the viewer has made. `doneMs`: the server's time when it was saved; null until then. */
type RequestedOrder = { ids: readonly number[]; doneMs: number | null };

export type RunningOrder = {
  /** All events; those that have not opened in the order that the viewer has made last. */
  events: readonly EventView[];
  /** Moves an event; both are indexes among the events that have not opened. */
  move: (from: number, to: number) => void;
};

/** The running order on the page. A move is visible at once and saved in the background; the last one wins. */
export function useRunningOrder(): RunningOrder {
  const { events: known, fetchedAt, acting } = useShow();
  const [requested, setRequested] = useState<RequestedOrder | null>(null);
  const ids = requested !== null && isNewer(requested, fetchedAt) ? requested.ids : null;
  const events = useMemo(() => (ids === null ? known : inOrder(known, ids)), [known, ids]);
  const unsent = useRef<readonly number[] | null>(null);
  const sending = useRef(false);
  const { act } = acting;
  const send = useCallback(async () => {
    if (sending.current) return;
    sending.current = true;
    for (let next = takeUnsent(unsent); next !== null; next = takeUnsent(unsent)) {
      const done = await act(formOf(orderFields(next)));
      // A refusal also discards the moves that were based on the refused one.
      if (!done) takeUnsent(unsent);
      setRequested((latest) => {
        if (!done) return null;
        return latest?.ids === next ? { ids: latest.ids, doneMs: serverNow() } : latest;
      });
    }
    sending.current = false;
  }, [act]);
  const move = (from: number, to: number) => {
    const ahead = events.filter(isAhead).map(({ id }) => id);
    if (ahead[from] === undefined || to < 0 || to >= ahead.length || to === from) return;
    const next = moveItem(ahead, from, to);
    unsent.current = next;
    setRequested({ ids: next, doneMs: null });
    void send();
  };
  return { events, move };
}

/** True until a fetch has returned the saved order. */
function isNewer({ doneMs }: RequestedOrder, fetchedAt: string): boolean {
  return doneMs === null || Date.parse(fetchedAt) < doneMs;
}

function takeUnsent(unsent: { current: readonly number[] | null }): readonly number[] | null {
  const ids = unsent.current;
  unsent.current = null;
  return ids;
}

/** Puts the events that have not opened into the given order; the others keep their positions. */
function inOrder(events: readonly EventView[], ids: readonly number[]): EventView[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const ahead = ids.flatMap((id) => byId.get(id) ?? []).filter(isAhead);
  const missing = events.filter((event) => isAhead(event) && !ids.includes(event.id));
  const next = [...ahead, ...missing].values();
  return events.map((event) => (isAhead(event) ? (next.next().value ?? event) : event));
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
