import { useLayoutEffect, useRef } from "react";
import { formatShare, formatShortMoney } from "#client/base/format/money.ts";
import { Note } from "#client/ui/note.tsx";
import { say } from "#src/http/contract.ts";
import type { LateMoney, Pace } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";

const tooFewCallsOn = (label: string, lateCents: number, totalCents: number) =>
  say`Too few calls on ${label} to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`;

const lateShare = (share: number, label: string, lateCents: number) =>
  say`${formatShare(share, { digits: 0 })} of the money on ${label}, ${formatShortMoney(lateCents)}, came in the last second.`;

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
  return label === null
    ? `${formatShare(share, { digits: 0 })} of the money, ${formatShortMoney(lateCents)}, came in the last second.`
    : lateShare(share, label, lateCents);
}

function unjudgedText({ label, lateCents, totalCents }: Labelled): string {
  return label === null
    ? `Too few calls to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`
    : tooFewCallsOn(label, lateCents, totalCents);
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
  const usual =
    late.usualShare === null
      ? "There are too few earlier actions to say what is usual."
      : `Usual in this session: ${formatShare(late.usualShare, { digits: 0 })}.`;
  return (
    <div ref={place}>
      <Note tone="warn">
        {[
          ...news.alarms,
          ...news.unjudged.map((sentence) => `${sentence}.`),
          ...(news.alarms.length === 0 ? [] : [usual]),
          "Somebody may have known the result. An earlier Effective at refunds the last calls; Void refunds all.",
        ].join(" ")}
      </Note>
    </div>
  );
}
