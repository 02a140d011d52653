import type { LateMoney, Pace } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "../texts/health-texts.ts";

/** What is said about late money. `unjudged`: it came in too few calls; with `warn` so much that it would be an alarm. */
export type LateNews = { alarms: string[]; unjudged: string[]; warn: boolean };

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
