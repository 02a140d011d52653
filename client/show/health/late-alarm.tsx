import type { EventView } from "#src/events/schemas.ts";
import type { LateMoney, Pace } from "#src/health/schemas.ts";
import { Note } from "../../ui/note.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";

/** A warning above the stage: much of a side's money came in the last second, and the result is not decided yet. */
export function LateAlarm({ pace }: { pace: Pace | null }) {
  const { onStage } = useShow();
  if (onStage === null || onStage.state !== "closed" || pace?.eventId !== onStage.id) return null;
  return <Alarms late={pace.late} event={onStage} />;
}

function Alarms({ late, event }: Pick<Pace, "late"> & { event: EventView }) {
  const alarms = late?.sides.filter(({ alarm }) => alarm) ?? [];
  if (late === null || alarms.length === 0) return null;
  const usual = late.usualShare === null ? texts.nothingUsual : texts.usualShare(late.usualShare);
  return (
    <Note tone="warn">
      {[...alarms.map((each) => sentence(each, event)), usual, texts.beforeYouPay].join(" ")}
    </Note>
  );
}

function sentence({ side, share, lateCents }: LateMoney, { trueLabel, falseLabel }: EventView): string {
  return texts.lateShare(share, side === "true" ? trueLabel : falseLabel, lateCents);
}
