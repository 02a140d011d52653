import { useCallback, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { singleFlight } from "../base/live/single-flight.ts";
import { BALANCE_UPDATE } from "../wallet/wallet-state.tsx";
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
  useEffect(() => {
    if (!balance) return;
    globalThis.addEventListener(BALANCE_UPDATE, reloadSoon);
    return () => globalThis.removeEventListener(BALANCE_UPDATE, reloadSoon);
  }, [balance, reloadSoon]);
}

/** @returns loads the data again after so many milliseconds; of several requests the earliest counts. */
function useReload(): (afterMs: number) => void {
  const { revalidate } = useRevalidator();
  const latest = useRef(revalidate);
  useEffect(() => {
    latest.current = revalidate;
  });
  const request = useRef<((afterMs: number) => void) | null>(null);
  useEffect(() => {
    const unmounted = new AbortController();
    const load = singleFlight(unmounted.signal, () => latest.current());
    let dueMs = Number.POSITIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    request.current = (afterMs) => {
      if (performance.now() + afterMs >= dueMs) return;
      dueMs = performance.now() + afterMs;
      clearTimeout(timer);
      timer = setTimeout(() => {
        dueMs = Number.POSITIVE_INFINITY;
        load();
      }, afterMs);
    };
    return () => {
      unmounted.abort();
      clearTimeout(timer);
    };
  }, []);
  return useCallback((afterMs) => request.current?.(afterMs), []);
}
