import { useLayoutEffect, useRef } from "react";
import { useView } from "../events/view.ts";
import { setAfterResult } from "./after-result.ts";

const COUNT_MS = 600;

/**
 * Counts the amount of a win up while the card shows it, once: a win that the page came with stands there. With reduced motion the
 * text changes at once, and nothing moves.
 */
export function useCountUp(): void {
  const { event, phase, viewerCalls } = useView();
  const outcome = phase === "resolved" ? viewerCalls?.outcome : null;
  const wonCents = outcome?.kind === "won" ? outcome.netCents : null;
  const key = wonCents === null ? "" : `${event?.id} ${wonCents}`;
  const known = useRef<string | null>(null);
  // Before the whole amount is painted.
  useLayoutEffect(() => {
    const isNew = known.current !== null && known.current !== key;
    known.current = key;
    if (wonCents === null || !isNew || isMotionReduced()) return;
    return countTo(wonCents);
  }, [key, wonCents]);
}

/** @returns shows the whole amount at once. */
function countTo(cents: number): () => void {
  const startMs = performance.now();
  let frame = 0;
  const step = () => {
    const left = 1 - Math.min(1, (performance.now() - startMs) / COUNT_MS);
    if (left === 0) return setAfterResult({ counted: null });
    setAfterResult({ counted: Math.round(cents * (1 - left ** 3)) });
    frame = requestAnimationFrame(step);
  };
  step();
  return () => {
    cancelAnimationFrame(frame);
    setAfterResult({ counted: null });
  };
}

function isMotionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
