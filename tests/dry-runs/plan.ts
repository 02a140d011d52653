import * as v from "valibot";
import type { DryRunOptions, Plan } from "#src/dry-runs/schemas.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";

const event: Plan["events"][number] = {
  title: "Will it rain?",
  description: "",
  trueLabel: "Yes",
  falseLabel: "No",
  startMode: "after_previous",
  offsetSeconds: 5,
  durationSeconds: 20,
  resolveWithinSeconds: 30,
  minWagerCents: 1,
  maxWagerCents: null,
  autoResult: null,
};

/** A plan with these actions; what is left out of one has a value that is not rushed. */
export function planOf(...events: readonly Partial<Plan["events"][number]>[]): Plan {
  return {
    name: "Friday night",
    settings: v.parse(sessionSettings, { leadSeconds: 5, settlementDelaySeconds: 0 }),
    events: events.map((terms, index) => ({ ...event, title: `Will it rain, ${index + 1}?`, ...terms })),
  };
}

/** Few players, so that a test takes a second. */
export function optionsOf(options: Partial<DryRunOptions> = {}): DryRunOptions {
  return { seed: 7, players: 8, skew: 60, latencyMs: 400, lateTaps: 20, ...options };
}

/** Every start mode, a planned result, a random one, and limits of wagers. */
export const mixedPlan = planOf(
  { startMode: "offset", offsetSeconds: 10 },
  { startMode: "after_result", maxWagerCents: 300 },
  { startMode: "by_hand", autoResult: "true", resolveWithinSeconds: 0 },
  { autoResult: "random", minWagerCents: 250 },
  { resolveWithinSeconds: 5, durationSeconds: 8 },
);
