import { useCallback, useEffect, useState } from "react";
import type { EventView } from "#src/show/events/schemas.ts";
import { type Acting, keyOf } from "../use-acting.ts";

/** A result that is taken back before its answer is there: U counts from the Enter on. */
export type EarlyUndo = {
  /** The event whose result is taken back as soon as the page knows that it waits to be paid; null: none. */
  wantedId: number | null;
  /** The event whose result was paid before it could be taken back; null: none. */
  lateId: number | null;
  want: (event: EventView) => void;
};

const nothing = { wantedId: null, lateId: null };

/** Takes a result back once its answer has arrived, or once the page knows what became of a request without an answer. */
export function useEarlyUndo(
  { events, viewerId }: { events: readonly EventView[]; viewerId: number | undefined },
  { act, busy, refusal, isUnanswered }: Acting,
): EarlyUndo {
  const [state, setState] = useState<Pick<EarlyUndo, "wantedId" | "lateId">>(nothing);
  const { wantedId } = state;
  const wanted = events.find(({ id }) => id === wantedId) ?? null;
  const isKnown = wanted !== null && !isUnanswered && !busy.has(keyOf("resolve", wanted.id));
  // Another host may have been first: what that host has decided stays.
  const isOwn = refusal === null && wanted?.plan?.decided?.byId === viewerId;
  useEffect(() => {
    if (wanted === null || !isKnown) return;
    const finish = async () => {
      const isLate = wanted.state === "resolved" && refusal === null;
      setState(isLate ? { wantedId: null, lateId: wanted.id } : nothing);
      if (isOwn && wanted.pendingResult !== null) await act(withdrawalOf(wanted));
    };
    void finish();
  }, [wanted, isKnown, isOwn, refusal, act]);
  const want = useCallback(({ id }: EventView) => setState({ wantedId: id, lateId: null }), []);
  return { ...state, want };
}

function withdrawalOf({ id, version, plan }: EventView): FormData {
  const form = new FormData();
  form.set("intent", "withdraw");
  form.set("event_id", String(id));
  form.set("version", String(version));
  form.set("decided_at", plan?.decided?.at ?? "");
  return form;
}
