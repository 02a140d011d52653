import { type CSSProperties, type RefObject, useEffect, useRef } from "react";
import { serverNow, useServerTime } from "../clock.ts";
import { countdown, digitsClass, minutes } from "./countdown.ts";
import { useView } from "./view.ts";

type Face = {
  /** When the ring began to drain and when it is empty. */
  from: string | null;
  to: string | null;
  /** What stands under the digits, and before them for those who hear it. */
  unit: string;
  spoken: string;
  className: string;
  /** m:ss from the start, for what is not being played yet. */
  inMinutes?: boolean;
};

/** The mark, draining: digits by the server's time, the ring by one animation that started in the past. */
export function ClockFace({ from, to, unit, spoken, className, inMinutes = false }: Face) {
  const { data } = useView();
  const toMs = Date.parse(to ?? "");
  const digits = useServerTime(
    (nowMs) => (inMinutes ? minutes(toMs - nowMs) : countdown(toMs - nowMs)),
    data.serverTime,
  );
  return (
    <div className={`clock ${className}`} role="timer" aria-label={`${spoken} ${digits}`}>
      <Ring from={from} to={to} renderedAt={data.serverTime} />
      <output className={digitsClass(digits)}>
        {digits}
        <small>{unit}</small>
      </output>
    </div>
  );
}

/** The ring alone, empty of time. */
export function IdleClock() {
  return (
    <div className="clock idle" aria-hidden="true">
      <Paths />
    </div>
  );
}

type RingStyle = CSSProperties & { "--dur": string; "--gone": string; "--play": string };

function Ring({ from, to, renderedAt }: { from: string | null; to: string | null; renderedAt: string }) {
  const svg = useRef<SVGSVGElement>(null);
  const fromMs = Date.parse(from ?? renderedAt);
  const durationMs = Math.max(1, Date.parse(to ?? renderedAt) - fromMs);
  const goneMs = Math.max(0, Date.parse(renderedAt) - fromMs);
  // From the first paint on the animation runs by itself; it is set right once the page is awake.
  useEffect(() => {
    const animations = svg.current?.getAnimations({ subtree: true }) ?? [];
    for (const animation of animations) animation.currentTime = serverNow() - fromMs - goneMs;
  }, [fromMs, durationMs, goneMs]);
  const style: RingStyle = { "--dur": seconds(durationMs), "--gone": seconds(goneMs), "--play": "running" };
  return <Paths svg={svg} style={style} />;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(3)}s`;
}

function Paths({ style, svg }: { style?: RingStyle; svg?: RefObject<SVGSVGElement | null> }) {
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" style={style} ref={svg}>
      <path className="track" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
      <path className="run" pathLength="100" d="M192 100L100 192A92 92 0 0 1 100 8Z" />
    </svg>
  );
}
