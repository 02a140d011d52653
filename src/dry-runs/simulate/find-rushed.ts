import { findRemarks, type PacedEvent } from "#src/show/events/pace/contract.ts";
import { LATE_TAPS_PERCENT } from "../contract.ts";
import type { Report } from "../schemas.ts";
import type { Play } from "./play.ts";

type Finding = Report["rushed"][number];
type Played = Pick<Play, "plan" | "records" | "taps">;

/** What may feel rushed, event by event. */
export function findRushed({ plan, records, taps }: Played): Finding[] {
  const events = plan.events.flatMap((terms, index): PacedEvent[] => {
    const record = records[index];
    return record === undefined ? [] : [{ ...terms, ...record }];
  });
  const late = events.flatMap((_, index) => lateTapsOn(index, taps));
  return [...findRemarks(events), ...late].toSorted((one, other) => one.event - other.event);
}

function lateTapsOn(event: number, allTaps: Played["taps"]): Finding[] {
  const taps = allTaps.filter((tap) => tap.event === event);
  if (taps.length === 0) return [];
  const late = taps.filter(({ answer }) => answer === "late");
  const measured = Math.round((late.length / taps.length) * 1_000) / 10;
  if (measured <= LATE_TAPS_PERCENT) return [];
  return [{ rule: "many_late_taps", event: event + 1, measured, wanted: LATE_TAPS_PERCENT }];
}
