import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "../texts/health-texts.ts";

/** What a timer will do to an event. */
export type NextTransition = {
  event: EventView;
  /** Its number in the running order. */
  number: number;
  /** Null while the session is paused. */
  dueAt: string | null;
  /** How long after the pause it is due; null while the clock runs. */
  remainingMs: number | null;
};

/**
 * The timed transitions of a session, the next one first. One without a time waits for something else and is not in it.
 * @param events in the order of their positions.
 */
export function listNext(events: readonly EventView[]): NextTransition[] {
  return events
    .flatMap((event, index): NextTransition[] => {
      const { plan } = event;
      if (plan?.nextTransition == null || (plan.dueAt === null && plan.remainingMs === null)) return [];
      const { dueAt, remainingMs } = plan;
      return [{ event, number: index + 1, dueAt, remainingMs }];
    })
    .toSorted((one, other) => orderOf(one) - orderOf(other));
}

/** "Open 11" */
export function nameOfNext({ event, number }: Pick<NextTransition, "event" | "number">): string {
  const { plan, pendingResult } = event;
  if (plan?.nextTransition == null) return "";
  if (plan.nextTransition !== "resolve") return texts.transitionOf[plan.nextTransition](number);
  if (pendingResult !== null) return texts.pay(number);
  return plan.autoResult === null ? texts.refund(number) : texts.transitionOf.resolve(number);
}

function orderOf({ dueAt, remainingMs }: NextTransition): number {
  return dueAt === null ? (remainingMs ?? 0) : Date.parse(dueAt);
}
