import type { CSSProperties, ReactNode } from "react";
import { countdown, digitsClass, minutes } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useServerTime } from "../base/live/clock.ts";

type ClockFaceProps = {
  /** When the ring is full, and when it is empty, in ms since 1970. */
  fromMs: number;
  toMs: number;
  /** The unit below m:ss and days. Below whole seconds it is "seconds". */
  unit: string;
  /** Read before the digits by screen readers. */
  spoken: string;
  className: string;
  /** When the page was rendered. Until the page is hydrated the clock shows this time. */
  renderedAt: string;
  /** Always shows m:ss, for an event that is not open yet. */
  inMinutes?: boolean;
  /** The last three seconds are 3, 2, 1. */
  getReady?: boolean;
};

const GET_READY_MS = 3_000;

/** A countdown: the digits and the ring follow the server's time. */
export function ClockFace({
  fromMs,
  toMs,
  unit,
  spoken,
  className,
  renderedAt,
  inMinutes = false,
  getReady = false,
}: ClockFaceProps) {
  const digits = useServerTime((nowMs) => {
    const leftMs = toMs - nowMs;
    if (!inMinutes) return countdown(leftMs);
    const text = minutes(leftMs);
    return getReady && leftMs <= GET_READY_MS ? text.slice(-1) : text;
  }, renderedAt);
  const secondsUnit = getReady ? "get ready" : "seconds";
  return (
    <Clock
      className={className}
      digits={digits}
      unit={/[:d]/.test(digits) ? unit : secondsUnit}
      spoken={spoken}
    >
      <Ring fromMs={fromMs} toMs={toMs} renderedAt={renderedAt} />
    </Clock>
  );
}

type EventClockProps = {
  /** An open event counts down to its close, any other to its opening. */
  event: Pick<EventView, "state" | "opensAt" | "closesAt" | "publishedAt" | "durationSeconds">;
  renderedAt: string;
  className?: string;
  getReady?: boolean;
};

export function EventClock({ event, className = "", ...shown }: EventClockProps) {
  const { state, opensAt, closesAt, publishedAt, durationSeconds } = event;
  if (state === "open") {
    const toMs = Date.parse(closesAt ?? "");
    const clock = {
      fromMs: toMs - durationSeconds * 1_000,
      toMs,
      unit: words.toClose,
      spoken: words.closesIn,
    };
    return <ClockFace {...clock} className={className} renderedAt={shown.renderedAt} />;
  }
  if (opensAt === null) return <IdleClock />;
  const [fromMs, toMs] = [Date.parse(publishedAt ?? opensAt), Date.parse(opensAt)];
  const clock = { fromMs, toMs, unit: words.toOpen, spoken: words.opensIn, inMinutes: true };
  return <ClockFace {...clock} {...shown} className={className} />;
}

export function StartClock({ startsAt, renderedAt }: { startsAt: string | null; renderedAt: string }) {
  if (startsAt === null) return <IdleClock />;
  const toMs = Date.parse(startsAt);
  const clock = { fromMs: toMs, toMs, unit: "to go", spoken: words.startsIn, inMinutes: true };
  return <ClockFace {...clock} className="idle" renderedAt={renderedAt} />;
}

/** Digits in a ring that does not move: the countdown is paused, or there is none. */
export function FrozenClock({
  digits,
  unit,
  spoken,
  className = "frozen",
}: Omit<ClockParts, "className" | "children"> & { className?: string }) {
  return (
    <Clock className={className} digits={digits} unit={unit} spoken={spoken}>
      <Mark />
    </Clock>
  );
}

/** The empty ring without digits, with a lock once calls are closed. */
export function IdleClock({ locked = false }: { locked?: boolean }) {
  return (
    <div className="clock idle" aria-hidden="true">
      <Mark>
        {locked ? (
          <g className="shut" transform="translate(56 62) scale(3.2)">
            <path className="body" d="M4 10h16v12H4z" />
            <path className="bow" d="M7.5 10V7a4.5 4.5 0 0 1 9 0v3" />
          </g>
        ) : null}
      </Mark>
    </div>
  );
}

type ClockParts = { className: string; digits: string; unit: string; spoken: string; children: ReactNode };

function Clock({ className, digits, unit, spoken, children }: ClockParts) {
  return (
    <div className={`clock ${className}`} role="timer" aria-label={`${spoken} ${digits}`} translate="no">
      {children}
      {/* Hidden, because screen readers say each change of an output. The timer's name is the same. With fewer digits it is another
          element, so that nothing moves. */}
      <output key={digits.length} className={digitsClass(digits)} aria-hidden="true">
        <span>{digits}</span>
        <small>{unit}</small>
      </output>
    </div>
  );
}

type RingStyle = CSSProperties & { "--gone": string };

/**
 * The ring, as far as it is drained. It moves with the ticks of the clock. A CSS animation would move it with every frame, and a
 * slow phone would do nothing else: it draws 60 frames a second, each of which takes its main thread about 12 ms.
 */
function Ring({ fromMs, toMs, renderedAt }: Pick<ClockFaceProps, "fromMs" | "toMs" | "renderedAt">) {
  const durationMs = Math.max(1, toMs - fromMs);
  const gone = useServerTime((nowMs) => percent((nowMs - fromMs) / durationMs), renderedAt);
  const style: RingStyle = { "--gone": gone };
  return <Mark style={style} />;
}

/** "43.1". A share that is not known is 0. */
function percent(share: number): string {
  return (share > 0 ? Math.min(1, share) * 100 : 0).toFixed(1);
}

function Mark({ style, children }: { style?: RingStyle; children?: ReactNode }) {
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" style={style}>
      <path className="track" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      <path className="run" pathLength="100" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      {children}
    </svg>
  );
}
