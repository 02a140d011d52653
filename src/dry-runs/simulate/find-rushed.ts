import { type RushedRule, rushedLimits as limits } from "../contract.ts";
import type { Report } from "../schemas.ts";
import type { Play } from "./play.ts";

type Finding = Report["rushed"][number];
type Played = Pick<Play, "plan" | "records" | "taps">;
type At = { play: Played; event: number };
/** @returns what was measured and what it should be; null if nothing is rushed. */
type Rule = (at: At) => Pick<Finding, "measured" | "wanted"> | null;

/** What may feel rushed, event by event. */
export function findRushed(play: Played): Finding[] {
  const names = Object.keys(rules).filter(isRule);
  return play.records.flatMap((_, event) =>
    names.flatMap((rule) => {
      const found = rules[rule]({ play, event });
      return found === null ? [] : [{ rule, event: event + 1, ...found }];
    }),
  );
}

const isRule = (name: string): name is RushedRule => Object.hasOwn(rules, name);

const rules: Record<RushedRule, Rule> = {
  little_time_to_read: ({ play, event }) => {
    const { visibleAtMs, openedAtMs, closesAtMs } = play.records[event] ?? {};
    const fromMs = visibleAtMs ?? openedAtMs;
    if (fromMs == null || closesAtMs == null) return null;
    const wanted = oneDecimal(wordsOf(play, event) / limits.wordsPerSecond + limits.decideSeconds);
    return below(secondsBetween(fromMs, closesAtMs), wanted);
  },
  no_pause_after_result: (at) => {
    const seconds = pauseBefore(at);
    return seconds === null || seconds < 0 ? null : below(seconds, limits.pauseSeconds);
  },
  opens_before_result: (at) => {
    const seconds = pauseBefore(at);
    return seconds === null || seconds >= 0 ? null : { measured: seconds, wanted: 0 };
  },
  many_late_taps: ({ play, event }) => {
    const taps = play.taps.filter((tap) => tap.event === event);
    if (taps.length === 0) return null;
    const late = taps.filter(({ answer }) => answer === "late");
    const measured = oneDecimal((late.length / taps.length) * 100);
    return measured > limits.lateTapsPercent ? { measured, wanted: limits.lateTapsPercent } : null;
  },
  little_time_to_decide: ({ play, event }) => {
    const { autoResult = null, resolveWithinSeconds = 0 } = play.plan.events[event] ?? {};
    return autoResult === null ? below(resolveWithinSeconds, limits.resolveSeconds) : null;
  },
};

/** Seconds from the result of the event before to this opening; below 0 if the result came later. */
function pauseBefore({ play, event }: At): number | null {
  const before = play.records[event - 1];
  const openedAtMs = play.records[event]?.openedAtMs ?? null;
  if (openedAtMs === null || before === undefined || before.resolvedAtMs === null) return null;
  return secondsBetween(before.resolvedAtMs, openedAtMs);
}

const below = (measured: number, wanted: number) => (measured < wanted ? { measured, wanted } : null);

function wordsOf({ plan }: Played, event: number): number {
  const { title = "", description = "", trueLabel = "", falseLabel = "" } = plan.events[event] ?? {};
  return [title, description, trueLabel, falseLabel].join(" ").split(/\s+/).filter(Boolean).length;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;
const secondsBetween = (fromMs: number, toMs: number) => oneDecimal((toMs - fromMs) / 1_000);
