import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { judgeTexts, type PlanEvent } from "./judge-texts.ts";
import type { PlanLine } from "./plan-reading.ts";

/**
 * The actions to add, with the pace of a new action where none is given: the first of a blueprint opens with the session, each
 * other one some time after the one before it.
 */
export function eventsOf(lines: readonly Pick<PlanLine, "texts">[], existing: number): PlanEvent[] {
  return lines.map(({ texts }, index) => {
    const { event } = judgeTexts(texts);
    const { startMode = "after_previous", offsetSeconds } = event;
    const follows = startMode === "after_previous" || startMode === "after_result";
    const wait = follows && existing + index > 0 ? WAIT_DEFAULT_SECONDS : 0;
    return { ...event, offsetSeconds: offsetSeconds ?? wait };
  });
}
