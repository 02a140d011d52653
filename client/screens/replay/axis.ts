import type { ReplayStep } from "#src/replays/schemas.ts";
import type { Timeline } from "./timeline.ts";

const SECOND_MS = 1_000;
/** A time without a change that is longer than this is shortened. */
const QUIET_MAX_S = 120;
/** To so many seconds: before the next change, so that it is seen to come. */
const QUIET_SHOWN_S = 5;

/**
 * The slider's values, from 0 to `last`: whole seconds of the session in order, without most of the time in which nothing changed.
 * So a session that was prepared for days, or corrected a week later, is still as long as its show.
 */
export type Axis = {
  last: number;
  /** The moment of a value, in milliseconds since 1970. */
  momentMs: (value: number) => number;
  /** The first value at which a moment has passed. */
  valueAt: (atMs: number) => number;
  /** True if time was left out. */
  shortened: boolean;
};

/** A run of seconds without a gap: `value` is that of its first second. */
type Run = { value: number; fromS: number; toS: number };

/** @param timeline with at least one step; the axis begins with the start of the session, or its first step. */
export function createAxis({ steps, timesMs }: Timeline): Axis {
  const startedAt = steps.find(({ session }) => session?.startedAt != null)?.session?.startedAt;
  const fromMs = startedAt == null ? (timesMs[0] ?? 0) : Date.parse(startedAt);
  const runs: Run[] = [];
  let run: Run = { value: 0, fromS: Math.floor(fromMs / SECOND_MS), toS: Math.floor(fromMs / SECOND_MS) };
  for (const [index, timeMs] of timesMs.entries()) {
    if (!showsChange(steps[index])) continue;
    const second = Math.ceil(timeMs / SECOND_MS);
    if (second <= run.toS) continue;
    if (second - run.toS > QUIET_MAX_S) {
      runs.push(run);
      run = { value: run.value + run.toS - run.fromS + 1, fromS: second - QUIET_SHOWN_S, toS: second };
    } else {
      run.toS = second;
    }
  }
  runs.push(run);
  return {
    last: run.value + run.toS - run.fromS,
    momentMs: (value) => {
      const { value: first, fromS } = runs.findLast((each) => each.value <= value) ?? run;
      return (fromS + value - first) * SECOND_MS;
    },
    valueAt: (atMs) => {
      const second = Math.ceil(atMs / SECOND_MS);
      const { value, fromS, toS } = runs.find((each) => second <= each.toS) ?? run;
      return value + Math.min(toS, Math.max(fromS, second)) - fromS;
    },
    shortened: runs.length > 1,
  };
}

/** False for what was only written down: the audit of a session can be later than its show. */
function showsChange(step: ReplayStep | undefined): boolean {
  if (step === undefined) return false;
  return step.session !== null || step.leaders !== null || step.events.length + step.pools.length > 0;
}
