import * as words from "#client/base/format/words.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { ReplayEvent } from "#src/replays/schemas.ts";
import { isCorrection, type Timeline } from "./timeline.ts";

/** A result that was announced, or corrected, and when. */
export type ReplayResult = {
  atMs: number;
  eventId: number;
  title: string;
  result: EventResult;
  label: string;
};

/** All results of a replay in order, corrections included. */
export function listResults({ steps, timesMs }: Timeline): ReplayResult[] {
  const known = new Map<number, ReplayEvent>();
  return steps.flatMap(({ events }, index) =>
    events.flatMap((event) => {
      const before = known.get(event.id);
      known.set(event.id, event);
      const { id: eventId, title, result } = event;
      if (result === null || (before !== undefined && !isNews(before, event))) return [];
      return [{ atMs: timesMs[index] ?? 0, eventId, title, result, label: labelOf(event, result) }];
    }),
  );
}

function isNews(before: ReplayEvent, event: ReplayEvent): boolean {
  return before.result === null || before.round !== event.round || isCorrection(before, event);
}

/** The label of the winning side, or "Void". */
export function labelOf(
  { trueLabel, falseLabel }: Pick<ReplayEvent, "trueLabel" | "falseLabel">,
  result: EventResult,
): string {
  return { true: trueLabel, false: falseLabel, void: words.voidResult }[result];
}
