import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { BlueprintEventView } from "#src/blueprints/contract.ts";
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
  const latest = useRef<readonly number[] | null>(null);
  const save = useSaving(latest, setState);
  const events = useMemo(() => (wanted === null ? loaded : inOrder(loaded, wanted)), [loaded, wanted]);
  const shown = useRef(events);
  useEffect(() => {
    shown.current = events;
  });
  const done = useCallback(() => {
    latest.current = null;
    setWanted(null);
  }, []);
  const move = useCallback(
    (from: number, to: number) => {
      const ids = moveItem(
        shown.current.map(({ id }) => id),
        from,
        to,
      );
      latest.current = ids;
      shown.current = inOrder(shown.current, ids);
      setWanted(ids);
      setState("saving");
      save(done);
    },
    [save, done],
  );
  return { events, move, state, unsaved: state === "saving" || state === "waiting" };
}

type Latest = { current: readonly number[] | null };

/** @returns sends the latest order and calls `done` once the page shows what the server has. */
function useSaving(latest: Latest, setState: (state: OrderState) => void): (done: () => void) => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const ask = useRef<() => void>(() => undefined);
  const whenDone = useRef<() => void>(() => undefined);
  useEffect(() => {
    const gone = new AbortController();
    ask.current = oneAtATime(gone.signal, async () => {
      const ids = latest.current;
      if (ids === null) return;
      const blueprintEvents = ids.map((id, index) => ({ id, position: index + 1 }));
      const state = await api
        .post("/api/v1/blueprint_events/batch_update_positions", { blueprintEvents })
        .then(
          () => "saved" as const,
          (error: unknown) => stateAfter(error),
        );
      if (latest.current !== ids && state === "saved") return;
      setState(state);
      if (state === "waiting") throw new Error("The order is tried again.");
      await revalidate();
      if (latest.current === ids) whenDone.current();
    });
    return () => gone.abort();
  }, [api, revalidate, latest, setState]);
  return useCallback((done) => {
    whenDone.current = done;
    ask.current();
  }, []);
}

/** What the server says no to will not be right later; that it does not answer may be over in a moment. */
function stateAfter(error: unknown): "refused" | "waiting" {
  return error instanceof ApiError && error.status < SERVER_ERROR ? "refused" : "waiting";
}
