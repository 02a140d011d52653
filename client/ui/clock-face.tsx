import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { serverNow, useClockOffset, useServerTime } from "../clock.ts";
import { kept } from "../kept.ts";
import { countdown, digitsClass, minutes } from "./countdown.ts";

type ClockFaceProps = {
  /** When the ring is full, and when it is empty, in ms since 1970. */
  fromMs: number;
  toMs: number;
  /** The unit below m:ss. Below whole seconds it is "seconds". */
  unit: string;
  /** Read before the digits by screen readers. */
  spoken: string;
  className: string;
  /** When the page was rendered. Until the page is hydrated the clock shows this time. */
  renderedAt: string;
  /** Always shows m:ss, for an event that is not open yet. */
  inMinutes?: boolean;
};

/** A countdown: the digits follow the server's time, the ring is one animation that started in the past. */
export function ClockFace({
  fromMs,
  toMs,
  unit,
  spoken,
  className,
  renderedAt,
  inMinutes = false,
}: ClockFaceProps) {
  const digits = useServerTime(
    (nowMs) => (inMinutes ? minutes(toMs - nowMs) : countdown(toMs - nowMs)),
    renderedAt,
  );
  return (
    <Clock
      className={className}
      digits={digits}
      unit={digits.includes(":") ? unit : "seconds"}
      spoken={spoken}
    >
      <Ring fromMs={fromMs} toMs={toMs} renderedAtMs={Date.parse(renderedAt)} />
    </Clock>
  );
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
export const IdleClock = kept(function IdleClock({ locked = false }: { locked?: boolean }) {
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
});

type ClockParts = { className: string; digits: string; unit: string; spoken: string; children: ReactNode };

function Clock({ className, digits, unit, spoken, children }: ClockParts) {
  return (
    <div className={`clock ${className}`} role="timer" aria-label={`${spoken} ${digits}`}>
      {children}
      <output className={digitsClass(digits)}>
        {digits}
        <small>{unit}</small>
      </output>
    </div>
  );
}

type RingStyle = CSSProperties & { "--dur": string; "--gone": string; "--play": string };

function Ring({ fromMs, toMs, renderedAtMs }: { fromMs: number; toMs: number; renderedAtMs: number }) {
  const svg = useRef<SVGSVGElement>(null);
  const offsetMs = useClockOffset();
  const durationMs = Math.max(1, toMs - fromMs);
  const goneMs = Math.max(0, renderedAtMs - fromMs);
  // The animation runs by itself from the first paint on. It is corrected whenever the clocks are compared.
  useEffect(() => {
    const animations = svg.current?.getAnimations({ subtree: true }) ?? [];
    for (const animation of animations) animation.currentTime = serverNow() - fromMs - goneMs;
  }, [fromMs, durationMs, goneMs, offsetMs]);
  const style: RingStyle = { "--dur": seconds(durationMs), "--gone": seconds(goneMs), "--play": "running" };
  return <Mark svg={svg} style={style} />;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(3)}s`;
}

type MarkParts = { style?: RingStyle; svg?: RefObject<SVGSVGElement | null>; children?: ReactNode };

function Mark({ style, svg, children }: MarkParts) {
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" style={style} ref={svg}>
      <Track />
      {children}
    </svg>
  );
}

const Track = kept(function Track() {
  return (
    <>
      <path className="track" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      <path className="run" pathLength="100" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
    </>
  );
});
