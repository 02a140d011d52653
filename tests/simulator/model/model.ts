import { payOut } from "../expected-payouts.ts";
import { type EventPlan, START_MS, type WorldPlan } from "../plan-world.ts";

// A plain model of the game: no database, no locks, no schedule versions. It is written from the rules of the game and shares
// nothing with the product except the type of a world's plan.

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
  /** A result that waits for its settlement delay. */
  pending: Result | null;
  /** Of the result, pending or not: only calls before this moment count. */
  effectiveMs: number | null;
  /** When the result was decided; a correction keeps it. */
  decidedMs: number | null;
  /** Who decided or corrected it last; null: a timer. */
  decidedBy: number | null;
  /** The planned result; null once an admin has withdrawn it. */
  autoResult: "true" | "false" | null;
  /** Planned moments on the session's clock. */
  opensMs: number | null;
  closesMs: number | null;
  /** The planned close on the real clock, once the event has closed: later pauses do not move it. */
  frozenClosesMs: number | null;
  resolveByMs: number | null;
  /** The next timed transition, on the session's clock. Without a moment it waits for the event before it. */
  next: { step: Step; atMs: number | null } | null;
  readonly plan: EventPlan;
};

export type Wallet = { postedCents: number; owedCents: number };

export type Model = {
  nowMs: number;
  session: "pending" | "running" | "paused" | "stopped";
  active: boolean;
  /** When the pause began; the session's clock stopped there. */
  pausedMs: number | null;
  /** The total length of past pauses: how far the session's clock is behind. */
  totalPausedMs: number;
  readonly smallRoom: boolean;
  readonly settlementDelayMs: number;
  /** In the running order. */
  events: ModelEvent[];
  /** In the order in which they were placed; `event` is an index of `events`. */
  calls: (ModelCall & { event: number })[];
  wallets: Wallet[];
  readonly houseDollar: boolean;
  /** Of each player and event, an index of `events`, to which the house has added something: "2 0". */
  housed: Set<string>;
};

/** The model of the world that is built from a plan with one session. */
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
    houseDollar: settings.houseDollar,
    housed: new Set(),
  };
}

export function createDraft(plan: EventPlan): ModelEvent {
  const { autoResult } = plan;
  if (autoResult === "random") throw new Error("a plan of the model has no random result");
  return { ...blank, state: "draft", round: 1, autoResult, plan };
}

/** What a new round resets. */
export const blank = {
  result: null,
  pending: null,
  effectiveMs: null,
  decidedMs: null,
  decidedBy: null,
  opensMs: null,
  closesMs: null,
  frozenClosesMs: null,
  resolveByMs: null,
  next: null,
} as const;

/** The session's clock, which stops while the session is paused. */
export const showMs = ({ nowMs, pausedMs, totalPausedMs: behindMs }: Model) => (pausedMs ?? nowMs) - behindMs;

/** True while the session is running or paused. */
export const isLive = ({ session }: Model) => session === "running" || session === "paused";

export const secondsMs = (seconds: number) => seconds * 1_000;

/** The calls of an event's current round, without cancelled and refunded ones. */
export function callsOf(model: Model, event: ModelEvent) {
  const index = model.events.indexOf(event);
  return model.calls.filter(
    (call) => call.event === index && call.round === event.round && call.state !== "destroyed",
  );
}

/** The part of a player's money that is held by active calls. */
export function heldCents(model: Model, player: number): number {
  const active = model.calls.filter(
    (call) => call.player === player && (call.state === "placed" || call.state === "closed"),
  );
  return active.reduce((total, { cents }) => total + cents, 0);
}

export function availableCents(model: Model, player: number): number {
  return (model.wallets[player]?.postedCents ?? 0) - heldCents(model, player);
}

/** Pays an event's calls by a result; after another result, pays the difference. */
export function settle(
  model: Model,
  event: ModelEvent,
  verdict: { result: Result; effectiveMs: number | null },
): void {
  const calls = callsOf(model, event);
  const paid = payOut(
    calls.map(({ side, cents, placedMs }, id) => ({ id, side, wagerCents: cents, placedMs })),
    verdict,
  );
  const changes = new Map<number, number>();
  for (const [id, call] of calls.entries()) {
    const { payoutCents } = paid.get(id) ?? { payoutCents: 0 };
    const change = payoutCents - (call.payoutCents ?? call.cents);
    changes.set(call.player, (changes.get(call.player) ?? 0) + change);
    call.payoutCents = payoutCents;
    call.state = "resolved";
  }
  for (const [player, change] of changes) applyChange(model, player, change);
}

/** What a player cannot pay back is owed; what is available afterwards pays the debt first, a released hold too. */
export function applyChange(model: Model, player: number, changeCents: number): void {
  const wallet = model.wallets[player];
  if (wallet === undefined) return;
  wallet.postedCents += changeCents;
  const repaid = Math.min(wallet.owedCents, availableCents(model, player));
  wallet.owedCents -= repaid;
  wallet.postedCents -= repaid;
}

// The product's replies, word for word as in the specification.

export const DONE = "done";
const labels: Record<State, string> = {
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  destroyed: "Destroyed",
};

export const invalid = (text: string, code = "invalid") => `422 ${code}, Validation failed: ${text}`;
export const notFound = "404 not_found, not found";
export const conflictOfInterest = "403 forbidden, forbidden";
export const dependentCalls = "422 dependents, Cannot delete record because dependent calls exist";
export const reasonRequired = invalid("Reason is required");
export const when = (state: State) => invalid(`State event cannot transition when ${labels[state]}`);
export const via = (label: string) => invalid(`State cannot transition via "${label}"`);
export const wrongSpot = (code: string) => invalid("Spot has wrong state", code);
