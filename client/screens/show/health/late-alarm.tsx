import { useLayoutEffect, useRef } from "react";
import { Note } from "#client/ui/note.tsx";
import type { LateMoney, Pace } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";

/** What is said about late money. `unjudged`: it came in too few calls; with `warn` so much that it would be an alarm. */
type LateNews = { alarms: string[]; unjudged: string[]; warn: boolean };

/** Says what came late on an event: on each side, or on both together where only that says something. */
export function describeLateMoney(
  late: NonNullable<Pace["late"]>,
  { trueLabel, falseLabel }: Pick<EventView, "trueLabel" | "falseLabel">,
): LateNews {
  const sides = late.sides.map((each) => ({ ...each, label: each.side === "true" ? trueLabel : falseLabel }));
  const both = { ...late, label: null };
  const alarms = sides.filter(({ alarm }) => alarm);
  const unjudged = late.tooFew ? [both] : sides.filter(({ tooFew }) => tooFew);
  return {
    alarms: (alarms.length === 0 && late.alarm ? [both] : alarms).map(alarmText),
    unjudged: unjudged.map(unjudgedText),
    warn: late.alarm || [...alarms, ...unjudged].some(({ share }) => share >= late.alarmShare),
  };
}

/** Null: both sides. */
type Labelled = LateMoney & { label: string | null };

function alarmText({ share, label, lateCents }: Labelled): string {
  return label === null ? texts.lateShareOfAll(share, lateCents) : texts.lateShare(share, label, lateCents);
}

function unjudgedText({ label, lateCents, totalCents }: Labelled): string {
  return label === null
    ? texts.tooFewCalls(lateCents, totalCents)
    : texts.tooFewCallsOn(label, lateCents, totalCents);
}

/**
 * A warning where results are given: much of the money came in the last second, also if it came in too few calls to judge. It is about what T, F and V act on, also
 * while the next event is on the stage.
 */
export function LateAlarm({ pace }: { pace: Pace | null }) {
  const { target } = useShow().arming;
  if (target?.state !== "closed" || pace?.eventId !== target.id) return null;
  return <Alarms late={pace.late} event={target} />;
}

function Alarms({ late, event }: Pick<Pace, "late"> & { event: EventView }) {
  const place = useRef<HTMLDivElement>(null);
  const news = late === null ? null : describeLateMoney(late, event);
  const isShown = news?.warn === true;
  useLayoutEffect(() => {
    // It comes a moment after the form was armed, and must not push it out of view.
    const next = place.current?.nextElementSibling;
    if (isShown && next?.matches(".armed") === true) next.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  if (late === null || news?.warn !== true) return null;
  const usual = late.usualShare === null ? texts.nothingUsual : texts.usualShare(late.usualShare);
  return (
    <div ref={place}>
      <Note tone="warn">
        {[
          ...news.alarms,
          ...news.unjudged.map((sentence) => `${sentence}.`),
          ...(news.alarms.length === 0 ? [] : [usual]),
          texts.beforeYouPay,
        ].join(" ")}
      </Note>
    </div>
  );
}
