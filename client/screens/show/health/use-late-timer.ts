import { useServerTime } from "#client/base/live/clock.ts";
import { useSync } from "#client/base/live/connection.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { listNext, nameOfNext } from "./list-next.ts";

const SECOND_MS = 1_000;

/** How late a timer is, in whole seconds; null where it is on time. A page that is away does not know whether it has fired. */
export function useLateS(dueAt: string | null): number | null {
  const { renderedAt } = useShow();
  const isOfNow = ["live", "poor"].includes(useSync());
  return useServerTime((nowMs) => {
    const lateS = dueAt === null ? 0 : Math.floor((nowMs - Date.parse(dueAt)) / SECOND_MS);
    return isOfNow && lateS > 0 ? lateS : null;
  }, renderedAt);
}

/** "Open 11 late 9 s", about the timer that is the latest; null where all are on time. */
export function useLateTimer(): string | null {
  const [next] = listNext(useShow().events);
  const lateS = useLateS(next?.dueAt ?? null);
  return next === undefined || lateS === null ? null : texts.timerLate(nameOfNext(next), lateS);
}
