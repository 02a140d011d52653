import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { BlueprintEventView } from "#src/blueprints/schemas.ts";
import { ApiError } from "../api.ts";
import { useApi } from "../context.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { inOrder, moveItem } from "../ui/move-item.ts";

/** How the order on the page stands with the server. */
export type OrderState = "kept" | "saving" | "saved" | "waiting" | "refused";

const SERVER_ERROR = 500;

/**
 * The order of a blueprint's events as it is on the page. A move shows at once and is saved behind it; the last one counts.
 * Without a server it is tried again until there is one; what the server refuses is taken back.
 */
export function useOrder(loaded: readonly BlueprintEventView[]) {
  const [wanted, setWanted] = useState<readonly number[] | null>(null);
  const [state, setState] = useState<OrderState>("kept");
  const [seen, setSeen] = useState(loaded);
  const unsaved = state === "saving" || state === "waiting";
  // What was loaded after a save has the order that was saved, or one that is newer.
  if (loaded !== seen) {
    setSeen(loaded);
    if (!unsaved) setWanted(null);
  }
  const events = useMemo(() => (wanted === null ? loaded : inOrder(loaded, wanted)), [loaded, wanted]);
  const shown = useRef(events);
  useEffect(() => {
    shown.current = events;
  });
  const save = useSaving(setState);
  const move = useCallback(
    (from: number, to: number) => {
      // Keys may come faster than the page is drawn.
      shown.current = moveItem(shown.current, from, to);
      const ids = shown.current.map(({ id }) => id);
      setWanted(ids);
      setState("saving");
      save(ids);
    },
    [save],
  );
  return { events, move, state, unsaved };
}

/** @returns sends an order; of those that are asked for meanwhile, the last. */
function useSaving(setState: (state: OrderState) => void): (ids: readonly number[]) => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const latest = useRef<readonly number[]>([]);
  const ask = useRef<() => void>(() => undefined);
  useEffect(() => {
    const gone = new AbortController();
    ask.current = oneAtATime(gone.signal, async () => {
      const ids = latest.current;
      const blueprintEvents = ids.map((id, index) => ({ id, position: index + 1 }));
      const state = await api
        .post("/api/v1/blueprint_events/batch_update_positions", { blueprintEvents })
        .then(
          () => "saved" as const,
          (error: unknown) => stateAfter(error),
        );
      // A newer one is saved next.
      if (state === "saved" && latest.current !== ids) return;
      setState(state);
      if (state === "waiting") throw new Error("The order is tried again.");
      if (state === "refused") await revalidate();
    });
    return () => gone.abort();
  }, [api, revalidate, setState]);
  return useCallback((ids) => {
    latest.current = ids;
    ask.current();
  }, []);
}

/** What the server says no to will not be right later; that it does not answer may be over in a moment. */
function stateAfter(error: unknown): "refused" | "waiting" {
  return error instanceof ApiError && error.status < SERVER_ERROR ? "refused" : "waiting";
}
