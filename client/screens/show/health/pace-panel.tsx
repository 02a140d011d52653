import { scaleBand, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useLayoutEffect, useRef } from "react";
import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatMoney, formatShare, formatShortMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Table } from "#client/ui/table.tsx";
import { say } from "#src/http/contract.ts";
import type { ArrivalsStep, Pace, LateMoney } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../running/show-context.ts";

const range = (from: number, to: number) => `${from} to ${to} s`;

/** The boxes of the drawings; they are stretched to the width of the panel. */
const SPARK = { width: 240, height: 28 };
const BARS = { width: 240, height: 44 };
const GAP = 0.25;

/** The line through the calls of each second, oldest first. Null with fewer than two seconds: they make no line. */
function drawSpark(perSecond: readonly number[]): { line: string; area: string; peak: number } | null {
  if (perSecond.length < 2) return null;
  const peak = Math.max(...perSecond);
  const x = scaleLinear([0, perSecond.length - 1], [0, SPARK.width]);
  // At least one call high, so that silence is a line at the bottom.
  const y = scaleLinear([0, Math.max(1, peak)], [SPARK.height - 1, 2]);
  const across = (_: number, index: number) => x(index);
  const up = (calls: number) => y(calls);
  return {
    line: line<number>(across, up).digits(1)([...perSecond]) ?? "",
    area: area<number>(across, SPARK.height, up).digits(1)([...perSecond]) ?? "",
    peak,
  };
}

/** The money of one step: the true side at the bottom, the false side on it. */
type Bar = { x: number; width: number; trueY: number; falseY: number; isLast: boolean };

/**
 * The money by the time before the close, which is at the right edge. While an event is open the rest of its time is empty.
 * @param arrivals from the opening on.
 */
function drawBars(arrivals: readonly ArrivalsStep[], stepSeconds: number): Bar[] {
  const [first] = arrivals;
  if (first === undefined) return [];
  const steps = Math.max(1, Math.round(first.fromSeconds / stepSeconds));
  const x = scaleBand(
    Array.from({ length: steps }, (_, step) => step),
    [0, BARS.width],
  ).paddingInner(GAP);
  const highest = Math.max(1, ...arrivals.map(({ trueCents, falseCents }) => trueCents + falseCents));
  const y = scaleLinear([0, highest], [BARS.height, 0]);
  return arrivals.map(({ fromSeconds, trueCents, falseCents }) => {
    const step = steps - Math.round(fromSeconds / stepSeconds);
    return {
      x: rounded(x(step) ?? 0),
      width: rounded(x.bandwidth()),
      trueY: rounded(y(trueCents)),
      falseY: rounded(y(trueCents + falseCents)),
      isLast: step === steps - 1,
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A table of sixty rows would say less. */
const ROW_SECONDS = 10;

/** How the calls of an event arrive, as drawings; screen readers get tables. Nothing until one has opened. */
export function PacePanel({ pace }: { pace: Pace | null }) {
  const { events } = useShow();
  const index = events.findIndex(({ id }) => id === pace?.eventId);
  const event = events[index];
  if (pace === null || event === undefined) return null;
  return (
    <Panel title={`Calls on ${index + 1}`} aside={countOf(pace.callsCount, "call")}>
      {pace.callsCount === 0 ? (
        <p className="pad-row small ink2">No calls yet.</p>
      ) : (
        <div className="pace">
          <PerSecond perSecond={pace.perSecond} />
          <Arrivals pace={pace} event={event} />
        </div>
      )}
    </Panel>
  );
}

function PerSecond({ perSecond }: { perSecond: readonly number[] }) {
  const spark = drawSpark(perSecond);
  if (spark === null) return null;
  return (
    <figure>
      <figcaption className="row tiny">
        <span className="ink2">Calls a second</span>
        <b className="push num">{`peak ${formatCount(spark.peak)}`}</b>
      </figcaption>
      <svg
        className="spark"
        viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="under" d={spark.area} />
        <path className="over" d={spark.line} fill="none" vectorEffect="non-scaling-stroke" />
      </svg>
      <PerSecondTable perSecond={perSecond} />
    </figure>
  );
}

function Arrivals({ pace, event }: { pace: Pace; event: EventView }) {
  const { late } = pace;
  const bars = drawBars(pace.arrivals, pace.stepSeconds);
  return (
    <figure>
      <figcaption className="row tiny">
        <span className="ink2">Money before the close</span>
        <span className="push">
          {late === null ? (
            <span className="ink2">judged at the close</span>
          ) : (
            <Judgement late={late} event={event} />
          )}
        </span>
      </figcaption>
      {late === null ? null : <Unjudged late={late} event={event} />}
      <svg
        className="bars"
        viewBox={`0 0 ${BARS.width} ${BARS.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map((bar) => (
          <Column key={bar.x} {...bar} />
        ))}
      </svg>
      <ArrivalsTable pace={pace} event={event} />
    </figure>
  );
}

function Column({ x, width, trueY, falseY, isLast }: Bar) {
  const end = x + width;
  return (
    <g className={isLast ? "last" : undefined}>
      <path className="true" d={`M${x} ${BARS.height}H${end}V${trueY}H${x}z`} />
      <path className="false" d={`M${x} ${trueY}H${end}V${falseY}H${x}z`} />
    </g>
  );
}

type Judged = { late: NonNullable<Pace["late"]>; event: EventView };

/** One word about the money of the last second. */
function Judgement({ late, event }: Judged) {
  const { alarms, unjudged, warn } = describeLateMoney(late, event);
  if (alarms.length === 0 && unjudged.length === 0) return <b>no late spike</b>;
  const word = alarms.length === 0 ? "not judged" : "late spike";
  if (!warn) return <span className="ink2">{word}</span>;
  return <Pill icon="warning" tone="warn" text={word} />;
}

function Unjudged({ late, event }: Judged) {
  return describeLateMoney(late, event).unjudged.map((sentence) => (
    <p className="tiny num" key={sentence}>
      {sentence}
    </p>
  ));
}

/** The line of calls a second, for screen readers. It is hidden within a box: a table would stay as wide as its texts. */
function PerSecondTable({ perSecond }: { perSecond: readonly number[] }) {
  const newestFirst = perSecond.toReversed();
  const rows = Array.from({ length: Math.ceil(newestFirst.length / ROW_SECONDS) }, (_, row) => {
    const from = row * ROW_SECONDS;
    const seconds = newestFirst.slice(from, from + ROW_SECONDS);
    return { from, to: from + seconds.length, calls: seconds.reduce((sum, calls) => sum + calls, 0) };
  });
  return (
    <div className="vh">
      <Table
        caption="Calls a second, the last minute"
        columns={[
          { head: "Seconds before the newest", cell: ({ from, to }) => range(from, to), namesRow: true },
          { head: words.calls, cell: ({ calls }) => calls },
        ]}
        rows={rows}
        keyOf={({ from }) => from}
      />
    </div>
  );
}

/** The bars of the money before the close, for screen readers. */
function ArrivalsTable({ pace, event }: { pace: Pace; event: EventView }) {
  return (
    <div className="vh">
      <Table
        caption="Money by the time before the close"
        columns={[
          {
            head: "Before the close",
            cell: ({ fromSeconds }) => range(fromSeconds, fromSeconds - pace.stepSeconds),
            namesRow: true,
          },
          { head: words.calls, cell: ({ calls }) => calls },
          { head: event.trueLabel, cell: ({ trueCents }) => formatMoney(trueCents) },
          { head: event.falseLabel, cell: ({ falseCents }) => formatMoney(falseCents) },
        ]}
        rows={pace.arrivals}
        keyOf={({ fromSeconds }) => fromSeconds}
      />
    </div>
  );
}

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
    : say`${formatShare(share, { digits: 0 })} of the money on ${label}, ${formatShortMoney(lateCents)}, came in the last second.`;
}

function unjudgedText({ label, lateCents, totalCents }: Labelled): string {
  return label === null
    ? `Too few calls to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`
    : say`Too few calls on ${label} to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`;
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
