import { useEffect, useState } from "react";
import { serverNow } from "../clock.ts";

const TICK_MS = 200;
const SECOND_MS = 1_000;

/** Whole seconds until a moment of the server's clock, counted down; 0 once it is over, and on the server. */
export function useWait(untilMs: number): number {
  const [waitS, setWait] = useState(0);
  useEffect(() => {
    const look = () => setWait(Math.max(0, Math.ceil((untilMs - serverNow()) / SECOND_MS)));
    look();
    if (untilMs <= serverNow()) return;
    const timer = setInterval(() => {
      look();
      if (untilMs <= serverNow()) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [untilMs]);
  return waitS;
}

/** True once a moment of the server's clock has passed while the page was open. */
export function useIsOver(untilMs: number): boolean {
  const [overMs, setOverMs] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setOverMs(untilMs), untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [untilMs]);
  return overMs >= untilMs;
}
