import { useLayoutEffect, useRef } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { LateMoney, Pace } from "#src/health/schemas.ts";
import { Note } from "../../ui/note.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";

/**
 * A warning where results are given: much of a side's money came in the last second. It is about what T, F and V act on, also
 * while the next event is on the stage.
 */
export function LateAlarm({ pace }: { pace: Pace | null }) {
  const { target } = useShow().arming;
  if (target?.state !== "closed" || pace?.eventId !== target.id) return null;
  return <Alarms late={pace.late} event={target} />;
}

function Alarms({ late, event }: Pick<Pace, "late"> & { event: EventView }) {
  const place = useRef<HTMLDivElement>(null);
  const alarms = late?.sides.filter(({ alarm }) => alarm) ?? [];
  const isShown = alarms.length > 0;
  useLayoutEffect(() => {
    // It comes a moment after the form was armed, and must not push it out of view.
    const next = place.current?.nextElementSibling;
    if (isShown && next?.matches(".armed") === true) next.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  if (late === null || alarms.length === 0) return null;
  const usual = late.usualShare === null ? texts.nothingUsual : texts.usualShare(late.usualShare);
  return (
    <div ref={place}>
      <Note tone="warn">
        {[...alarms.map((each) => sentence(each, event)), usual, texts.beforeYouPay].join(" ")}
      </Note>
    </div>
  );
}

function sentence({ side, share, lateCents }: LateMoney, { trueLabel, falseLabel }: EventView): string {
  return texts.lateShare(share, side === "true" ? trueLabel : falseLabel, lateCents);
}
