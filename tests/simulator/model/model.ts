import { type EventPlan, START_MS, type WorldPlan } from "../world.ts";

// The game once more, as plain as can be: no database, no locks, no schedule versions. It is written from the rules of the
// game and shares nothing with the product but the shape of a world's plan.

export type Result = "true" | "false" | "void";
export type State = "draft" | "visible" | "open" | "closed" | "resolved" | "hidden" | "destroyed";
export type Step = "publish" | "open" | "close" | "resolve";

export type ModelCall = {
  player: number;
  side: "true" | "false";
  cents: number;
  round: number;
  placedMs: number;
  state: "placed" | "closed" | "resolved" | "destroyed";
  /** Null until it is resolved. */
  payoutCents: number | null;
};

export type ModelEvent = {
  state: State;
  round: number;
  result: Result | null;
  /** Only calls before it count. */
  effectiveMs: number | null;
  /** When and by whom it was resolved: the moment is the first one's, the person the last one; null is a timer. */
  resolvedMs: number | null;
  resolvedBy: number | null;
  /** A result that waits to be paid. */
  pending: { result: Result; effectiveMs: number | null; actor: number | null } | null;
  /** What it resolves itself to; whoever takes that back decides from then on. */
  autoResult: "true" | "false" | null;
  /** Planned moments on the show's clock. */
  opensMs: number | null;
  closesMs: number | null;
  resolveByMs: number | null;
  /** What happens next by itself, on the show's clock. */
  next: { step: Step; atMs: number } | null;
  readonly plan: EventPlan;
};

export type Wallet = { postedCents: number; owedCents: number };

export type Model = {
  nowMs: number;
  session: "pending" | "running" | "paused" | "stopped";
  active: boolean;
  /** When the pause began; the show's clock stands there. */
  pausedMs: number | null;
  /** By how much the show's clock is behind, for all pauses that are over. */
  totalPausedMs: number;
  readonly smallRoom: boolean;
  readonly settlementDelayMs: number;
  /** In the running order. */
  events: ModelEvent[];
  /** In the order in which they were placed; each knows its event's place. */
  calls: (ModelCall & { event: number })[];
  wallets: Wallet[];
};

/** A model of the world that a plan of one session builds. */
export function createModel({ grantsCents, settings, shows: [show = []] }: WorldPlan): Model {
  return {
    nowMs: START_MS,
    session: "pending",
    active: false,
    pausedMs: null,
    totalPausedMs: 0,
    smallRoom: settings.smallRoom,
    settlementDelayMs: secondsMs(settings.settlementDelaySeconds),
    events: show.map(createDraft),
    calls: [],
    wallets: grantsCents.map((postedCents) => ({ postedCents, owedCents: 0 })),
  };
}

export function createDraft(plan: EventPlan): ModelEvent {
  const { autoResult } = plan;
  if (autoResult === "random") throw new Error("a plan of the model has no random result");
  return { ...blank, state: "draft", round: 1, autoResult, plan };
}

/** An event of a new round knows nothing of the one before. */
export const blank = {
  result: null,
  effectiveMs: null,
  resolvedMs: null,
  resolvedBy: null,
  opensMs: null,
  closesMs: null,
  resolveByMs: null,
  pending: null,
  next: null,
} as const;

/** The show's clock: it stands while the session is paused. */
export const showMs = ({ nowMs, pausedMs, totalPausedMs: behindMs }: Model) => (pausedMs ?? nowMs) - behindMs;

/** True while the session has a running order. */
export const isLive = ({ session }: Model) => session === "running" || session === "paused";

export const secondsMs = (seconds: number) => seconds * 1_000;

/** The calls of an event's round that nobody has taken back or refunded. */
export function callsOf(model: Model, event: ModelEvent) {
  const place = model.events.indexOf(event);
  return model.calls.filter(
    (call) => call.event === place && call.round === event.round && call.state !== "destroyed",
  );
}
