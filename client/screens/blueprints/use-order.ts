import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { inOrder, moveItem } from "#client/base/format/move-item.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi } from "#client/base/page/context.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";

export type OrderState = "unchanged" | "saving" | "saved" | "waiting" | "refused";

/**
 * The order of a blueprint's events on the page. A move is visible at once and saved in the background; the last one wins.
 * Without an answer the save is retried; a refused order is reverted. A successful save does not make the router load the
 * page again, because such a load raced with the next move and reverted it.
 */
export function useOrder(loaded: readonly BlueprintEventView[]) {
  const [order, setOrder] = useState<readonly number[] | null>(null);
  const [state, setState] = useState<OrderState>("unchanged");
  const [previous, setPrevious] = useState(loaded);
  const unsaved = state === "saving" || state === "waiting";
  // Data that is loaded after a save has the saved order, or a newer one.
  if (loaded !== previous) {
    setPrevious(loaded);
    if (!unsaved) setOrder(null);
  }
  const events = useMemo(() => (order === null ? loaded : inOrder(loaded, order)), [loaded, order]);
  const shown = useRef(events);
  useEffect(() => {
    shown.current = events;
  });
  const save = useSaving(setState);
  const arrange = useCallback(
    (ids: readonly number[]) => {
      shown.current = inOrder(shown.current, ids);
      setOrder(ids);
      setState("saving");
      save(ids);
    },
    [save],
  );
  const move = useCallback(
    // Keys may be pressed faster than the page renders.
    (from: number, to: number) => arrange(moveItem(shown.current, from, to).map(({ id }) => id)),
    [arrange],
  );
  return { events, move, arrange, state, unsaved };
}

/** @returns saves an order. Of the orders that are passed during a save, only the last is saved. */
function useSaving(setState: (state: OrderState) => void): (ids: readonly number[]) => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const latest = useRef<readonly number[]>([]);
  const requestSave = useRef<() => void>(() => undefined);
  useEffect(() => {
    const unmounted = new AbortController();
    requestSave.current = singleFlight(unmounted.signal, async () => {
      const ids = latest.current;
      const blueprintEvents = ids.map((id, index) => ({ id, position: index + 1 }));
      const state = await api
        .post("/api/v1/blueprint_events/batch_update_positions", { blueprintEvents })
        .then(
          () => "saved" as const,
          // A refusal (4xx) is final; other errors are retried.
          (error: unknown) => (error instanceof ApiError && error.status < 500 ? "refused" : "waiting"),
        );
      // A newer order is saved next.
      if (state === "saved" && latest.current !== ids) return;
      setState(state);
      if (state === "waiting") throw new Error("The order was not saved; it is retried.");
      if (state === "refused") await revalidate();
    });
    return () => unmounted.abort();
  }, [api, revalidate, setState]);
  return useCallback((ids) => {
    latest.current = ids;
    requestSave.current();
  }, []);
}
