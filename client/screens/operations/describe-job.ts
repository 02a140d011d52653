import type { FailedJobView, LateTimerView } from "#src/operate/operations/schemas.ts";
import { lateTime } from "./late-words.ts";
import * as texts from "./operations-texts.ts";

/** "Close of “Goal inside ten minutes?”, 4 s late" */
export function describeJob({ name, queue, event, lateMs }: FailedJobView): string {
  const title = texts.jobTitles[name];
  const what =
    title === undefined
      ? (texts.otherJobTitles[queue] ?? name.replaceAll("_", " "))
      : title(event === null ? texts.unknownEvent : texts.quoted(event.title));
  return texts.late(what, lateTime(lateMs));
}

/** The same for a timer. */
export function describeTimer({ transition, event, lateMs }: LateTimerView): string {
  const what = texts.jobTitles[transition]?.(texts.quoted(event.title)) ?? event.title;
  return texts.late(what, lateTime(lateMs));
}
