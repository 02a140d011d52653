import { useCallback, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { useSingleFlight } from "../base/live/single-flight.ts";
import { balanceChanged } from "../wallet/wallet-state.tsx";
import { useOwnMessagesMissed } from "./live-messages.tsx";

/** Messages that belong together, such as a call and its wallet, cause one load. */
const TOGETHER_MS = 50;
/** Closes and results come to all players at once: their pages load them spread over this time. */
const SPREAD_MS = 2_000;

/**
 * Loads the screen's data again when a call of the viewer is placed, taken back, closed or paid, on any device, and when
 * messages about that were missed.
 * @param balance also when the balance changes for another reason.
 */
export function useLiveReload({ balance }: { balance: boolean }): void {
  const reload = useReload();
  useOwnCalls(({ call }) => {
    const ofAll = call.state === "closed" || call.state === "resolved";
    reload(ofAll ? Math.random() * SPREAD_MS : TOGETHER_MS);
  });
  const reloadSoon = useCallback(() => reload(TOGETHER_MS), [reload]);
  useOwnMessagesMissed(reloadSoon);
  useEffect(() => (balance ? balanceChanged.listen(reloadSoon) : undefined), [balance, reloadSoon]);
}

/** @returns loads the data again after so many milliseconds; of several requests the earliest counts. */
function useReload(): (afterMs: number) => void {
  const { revalidate } = useRevalidator();
  const load = useSingleFlight(revalidate);
  const due = useRef<{ atMs: number; timer?: ReturnType<typeof setTimeout> }>({ atMs: Infinity });
  useEffect(() => () => clearTimeout(due.current.timer), []);
  return useCallback(
    (afterMs) => {
      const atMs = performance.now() + afterMs;
      if (atMs >= due.current.atMs) return;
      clearTimeout(due.current.timer);
      const loadNow = () => {
        due.current = { atMs: Infinity };
        load();
      };
      due.current = { atMs, timer: setTimeout(loadNow, afterMs) };
    },
    [load],
  );
}
