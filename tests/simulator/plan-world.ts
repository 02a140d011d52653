import { startModes } from "#db/lists/events.ts";
import type { Random } from "#src/base/random.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { SessionSettings } from "#src/show/sessions/schemas.ts";
import type { PartsPlan } from "#tests/support/database.ts";
import { type Faults, noFaults } from "./unreliable-queue.ts";

export const START_MS = Date.parse("2026-11-21T20:00:00Z");

/** The initial data of a world. */
export type WorldPlan = {
  faults: Faults;
  sweepPhaseMs: number;
  /** In cents, in this order: the admin who plays, the admin who does not, the players. */
  grantsCents: readonly number[];
  settings: SessionSettings;
  /** Above how many calls a settlement is large, and how many a part has; null: the product's values. */
  paying: PartsPlan | null;
  /** The events of each session, in their order. */
  shows: readonly (readonly EventPlan[])[];
};
export type EventPlan = Pick<
  EventRow,
  | "startMode"
  | "offsetSeconds"
  | "durationSeconds"
  | "leadSeconds"
  | "resolveWithinSeconds"
  | "autoResult"
  | "minWagerCents"
  | "maxWagerCents"
>;

const PLAYERS = 4;

/** A random item. */
export function pick<Item>(dice: Random, items: readonly Item[]): Item {
  const item = items[dice.between(0, items.length - 1)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** A random small world: one or two sessions with a few events, players with a little money, a queue with faults. */
export function planWorld(dice: Random): WorldPlan {
  // Half of the fault rates are 0, so that the other faults also occur alone.
  const rate = () => (dice.chance(0.5) ? 0 : dice.between(5, 60) / 100);
  const leadSeconds = dice.between(0, 8);
  const show = (events: number) => Array.from({ length: events }, () => planEvent(dice, leadSeconds));
  return {
    faults: { late: rate(), twice: rate(), never: rate(), early: rate() },
    sweepPhaseMs: dice.between(0, 999),
    grantsCents: Array.from({ length: PLAYERS + 1 }, () => dice.between(200, 6_000)),
    settings: {
      leadSeconds,
      settlementDelaySeconds: dice.chance(0.6) ? 0 : dice.between(1, 12),
      slowModeSeconds: 0,
      smallRoom: dice.chance(0.3),
      voidUncalled: false,
      houseDollar: true,
      chatApproval: false,
      private: false,
      locked: false,
      givenNames: false,
      teams: [],
    },
    // Now and then a few calls already make a large settlement, which is paid one or two calls at a time.
    paying: dice.chance(0.1) ? { atOnceMax: dice.between(0, 3), partMax: dice.between(1, 2) } : null,
    shows: dice.chance(0.3) ? [show(dice.between(2, 4)), show(1)] : [show(dice.between(2, 4))],
  };
}

/** A world with one session and a reliable queue, of which a model of the game knows everything. */
export function planModelledWorld(dice: Random): WorldPlan {
  const plan = planWorld(dice);
  return {
    ...plan,
    faults: noFaults,
    paying: null,
    settings: {
      ...plan.settings,
      leadSeconds: 0,
      settlementDelaySeconds: pick(dice, [0, 0, 0, 1, 7]),
      smallRoom: dice.chance(0.5),
      houseDollar: dice.chance(0.5),
      teams: pick(dice, [[], ["Foxes", "Owls"]]),
    },
    shows: [Array.from({ length: dice.between(2, 4) }, () => planEvent(dice, dice.between(0, 8)))],
  };
}

/** Without random results: they depend on the row's id, which differs when the seed is run alone. */
function planEvent(dice: Random, leadSeconds: number): EventPlan {
  return {
    startMode: dice.chance(0.5) ? "after_previous" : pick(dice, startModes),
    offsetSeconds: dice.between(0, 12),
    durationSeconds: dice.between(5, 30),
    leadSeconds,
    resolveWithinSeconds: dice.between(0, 10),
    autoResult: pick(dice, [null, null, "true", "false"] as const),
    minWagerCents: dice.chance(0.2) ? 50 : 1,
    maxWagerCents: dice.chance(0.3) ? dice.between(100, 900) : null,
  };
}
