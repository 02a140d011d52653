import { useCallback, useMemo, useRef, useState } from "react";
import type { EventView } from "#src/events/schemas.ts";
import { serverNow } from "../clock.ts";
import { isAhead } from "./on-stage.ts";
import { orderFields } from "./order-fields.ts";
import { useShow } from "./show-context.ts";

/** An order that was asked for; `doneMs` is when the server had it. */
type Wanted = { ids: readonly number[]; doneMs: number | null };

export type RunningOrder = {
  /** All events; those that have not opened in the order that was asked for last. */
  events: readonly EventView[];
  /** Moves an event that has not opened among its like; both are places in their own order. */
  move: (from: number, to: number) => void;
};

/** The running order as it is on the page: a move shows at once and is sent behind it, the last one counts. */
export function useRunningOrder(): RunningOrder {
  const { events: known, seenAt, acting } = useShow();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const ids = wanted !== null && isNewer(wanted, seenAt) ? wanted.ids : null;
  const events = useMemo(() => (ids === null ? known : inOrder(known, ids)), [known, ids]);
  const unsent = useRef<readonly number[] | null>(null);
  const sending = useRef(false);
  const { act } = acting;
  const send = useCallback(async () => {
    if (sending.current) return;
    sending.current = true;
    for (let next = take(unsent); next !== null; next = take(unsent)) {
      const done = await act(formOf(orderFields(next)));
      // What was refused takes the moves that were made on top of it along.
      if (!done) take(unsent);
      setWanted((latest) => {
        if (!done) return null;
        return latest?.ids === next ? { ids: latest.ids, doneMs: serverNow() } : latest;
      });
    }
    sending.current = false;
  }, [act]);
  const move = (from: number, to: number) => {
    const ahead = events.filter(isAhead).map(({ id }) => id);
    const moved = ahead[from];
    if (moved === undefined || to < 0 || to >= ahead.length || to === from) return;
    const next = ahead.toSpliced(from, 1).toSpliced(to, 0, moved);
    unsent.current = next;
    setWanted({ ids: next, doneMs: null });
    void send();
  };
  return { events, move };
}

/** Until a look has seen it, what was asked for is newer than what is known. */
function isNewer({ doneMs }: Wanted, seenAt: string): boolean {
  return doneMs === null || Date.parse(seenAt) < doneMs;
}

function take(unsent: { current: readonly number[] | null }): readonly number[] | null {
  const ids = unsent.current;
  unsent.current = null;
  return ids;
}

/** Those that have not opened stand in the given order in the places that they have together. */
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
