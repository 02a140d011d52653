import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { judgeTexts, type PlanEvent } from "./judge-texts.ts";
import type { PlanLine } from "./plan-reading.ts";

/**
 * The actions to add, with the pace of a new action where none is given: the first of a blueprint opens with the session, each
 * other one some time after the result of the one before it.
 */
export function eventsOf(lines: readonly Pick<PlanLine, "texts">[], existing: number): PlanEvent[] {
  return lines.map(({ texts }, index) => {
    const { event } = judgeTexts(texts);
    const isFirst = existing + index === 0;
    const { startMode = isFirst ? undefined : START_DEFAULT, offsetSeconds } = event;
    const follows = startMode === "after_previous" || startMode === "after_result";
    const wait = follows && !isFirst ? WAIT_DEFAULT_SECONDS : 0;
    return { ...event, ...(startMode !== undefined && { startMode }), offsetSeconds: offsetSeconds ?? wait };
  });
}
