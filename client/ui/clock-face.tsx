import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { serverNow, useClockOffset, useServerTime } from "../clock.ts";
import { countdown, digitsClass, minutes } from "./countdown.ts";

type Face = {
  /** When the ring is full, and when it is empty, in ms since 1970. */
  fromMs: number;
  toMs: number;
  /** What stands under m:ss, and before it for those who hear it. Under whole seconds stands "seconds". */
  unit: string;
  spoken: string;
  className: string;
  /** When the page was written: until it is awake the clock shows that moment. */
  renderedAt: string;
  /** m:ss from the start, for what is not being played yet. */
  inMinutes?: boolean;
};

/** The mark, draining: digits by the server's time, the ring by one animation that started in the past. */
export function ClockFace({ fromMs, toMs, unit, spoken, className, renderedAt, inMinutes = false }: Face) {
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

/** Digits in the ring, which stands still: at what it showed last, or because nothing runs out. */
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

/** The ring alone, empty of time; locked once calls are closed. */
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
  // From the first paint on the animation runs by itself; it is set right whenever the clocks were compared.
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
      <path className="track" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      <path className="run" pathLength="100" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      {children}
    </svg>
  );
}
