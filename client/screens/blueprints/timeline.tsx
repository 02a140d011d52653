import { memo, type MouseEvent } from "react";
import { countOf } from "#client/base/format/count.ts";
import { lengthText, type Planned, plannedSeconds, planTimes } from "#client/blueprints/plan-times.ts";
import { TimelineStrip } from "#client/blueprints/timeline-strip.tsx";

/** An event of the plan, and whether it is chosen or wrong. */
export type TimelineBlock = Planned & { id: number; look: "" | "sel" | "bad" };

type TimelineProps = {
  events: readonly TimelineBlock[];
  /** Called with the event of a clicked block. */
  select?: (id: number) => void;
};

/** The plan as a drawing; the table has the same information as text. An event that waits is drawn where it opens at the earliest. */
export const Timeline = memo(function Timeline({ events, select }: TimelineProps) {
  const times = planTimes(events);
  const blocks = events.flatMap(({ id, look }, index) => {
    const time = times[index];
    return time === undefined ? [] : { id, position: index + 1, ...time, look };
  });
  const choose = (event: MouseEvent) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset["id"] : undefined;
    if (id !== undefined) select?.(Number(id));
  };
  return (
    <TimelineStrip
      blocks={blocks}
      seconds={plannedSeconds(events)}
      total={`${countOf(events.length, "action")}, ${lengthText(events)} in all`}
      label="Plan, to scale"
      onClick={choose}
    />
  );
});
