import { useEffect, useRef, useState } from "react";
import type { Axis } from "./axis.ts";

export const speeds = [1, 2, 4, 8, 16, 32] as const;
export type Speed = (typeof speeds)[number];

/** How often the position is looked at while it plays. Only whole seconds are shown. */
const TICK_MS = 125;
const SECOND_MS = 1_000;

export type Playback = {
  value: number;
  playing: boolean;
  speed: Speed;
  setSpeed: (speed: Speed) => void;
  /** Moves to a value, and goes on playing if it did. */
  seek: (value: number) => void;
  /** Plays from here; from the beginning if it is at the end. */
  toggle: () => void;
};

/** The position of a replay, which moves while it plays, and stops at the end. */
export function usePlayback({ last }: Axis): Playback {
  const [value, setValue] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  /** The position, with the part of a second that has passed. */
  const exact = useRef(0);
  const seek = (next: number) => {
    exact.current = Math.min(last, Math.max(0, next));
    setValue(exact.current);
  };
  useEffect(() => {
    if (!playing) return;
    let beforeMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      exact.current = Math.min(last, exact.current + ((nowMs - beforeMs) * speed) / SECOND_MS);
      beforeMs = nowMs;
      setValue(Math.floor(exact.current));
      if (exact.current >= last) setPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing, speed, last]);
  const toggle = () => {
    if (!playing && value >= last) seek(0);
    setPlaying(!playing);
  };
  return { value, playing, speed, setSpeed, seek, toggle };
}
