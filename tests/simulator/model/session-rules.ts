import type { StartMode } from "#db/lists/events.ts";
import { close, open, opensAt, planWaiting, publish, VOID_AFTER_MS } from "./event-rules.ts";
import {
  applyChange,
  availableCents,
  callsOf,
  createDraft,
  DONE,
  heldCents,
  invalid,
  isLive,
  type Model,
  type ModelCall,
  type ModelEvent,
  notFound,
  secondsMs,
  showMs,
  via,
  wrongSpot,
} from "./model.ts";

// What may happen to a session and to calls, by the rules of the game.

/** @param leadSeconds how long after the start the plan begins. */
export function start(model: Model, leadSeconds = 0): string {
  const unopened = model.events.filter(({ state }) => state === "draft" || state === "visible");
  if (model.session !== "pending" || unopened.length === 0) return via("Start");
  model.session = "running";
  model.active = true;
  const beginsMs = model.nowMs + secondsMs(leadSeconds);
  let previousClosesMs: number | null = beginsMs;
  for (const [index, event] of unopened.entries()) {
    const { startMode, offsetSeconds } = event.plan;
    const fromMs: number | null =
      startMode === "offset" || (startMode === "after_result" && index === 0) ? beginsMs : null;
    const openFromMs: number | null = startMode === "after_previous" ? previousClosesMs : fromMs;
    if (openFromMs === null) {
      const step = event.state === "draft" ? "publish" : "open";
      event.next = startMode === "by_hand" ? null : { step, atMs: null };
    } else opensAt(model, event, openFromMs + secondsMs(offsetSeconds));
    previousClosesMs = event.closesMs;
  }
  return DONE;
}

export function pause(model: Model, actor: number | null): string {
  if (model.session !== "running") return via("Pause");
  takeBackOwn(model, actor);
  model.session = "paused";
  model.pausedMs = model.nowMs;
  return DONE;
}

/** The actor's own calls on open events, as far as a player may take back a call; none in a small room. */
function takeBackOwn(model: Model, actor: number | null): void {
  if (actor === null || model.smallRoom) return;
  for (const [call, { player, event }] of model.calls.entries())
    if (player === actor && model.events[event]?.state === "open") cancelInModel(model, { call, player });
}

export function resume(model: Model): string {
  if (model.session !== "paused") return via("Resume");
  model.session = "running";
  endPause(model);
  return DONE;
}

function endPause(model: Model): void {
  if (model.pausedMs !== null) model.totalPausedMs += model.nowMs - model.pausedMs;
  model.pausedMs = null;
}

/** Open events close, events that never opened are hidden, and a closed one without a planned result is voided after a day. */
export function stop(model: Model, actor: number | null): string {
  if (model.session !== "running" && model.session !== "paused") return via("Stop");
  takeBackOwn(model, actor);
  endPause(model);
  for (const event of model.events) {
    if (event.state === "open") close(model, event);
    if (event.state === "draft" || event.state === "visible") {
      event.state = "hidden";
      event.next = null;
    }
    if (event.state === "closed") event.next ??= { step: "resolve", atMs: showMs(model) + VOID_AFTER_MS };
  }
  model.session = "stopped";
  model.active = false;
  return DONE;
}

export function activate(model: Model): string {
  if (model.session === "stopped" || model.active) return via("Activate");
  model.active = true;
  return DONE;
}

export function deactivate(model: Model): string {
  if (!model.active) return via("Deactivate");
  model.active = false;
  return DONE;
}

export type AddedEvent = {
  ask: boolean;
  /** Undefined: it is not part of the plan of a session that has started. */
  startMode: StartMode | undefined;
  offsetSeconds: number;
  durationSeconds: number;
};

/** Adds a draft at the end of the running order. With `ask` it is published and opened at once. */
export function addEvent(model: Model, { ask, startMode, ...terms }: AddedEvent): string {
  if (model.session === "stopped") return invalid("Session is invalid");
  if (ask && model.session !== "running") return invalid("Ask is invalid");
  const event = createDraft({ ...plan, ...terms, startMode: startMode ?? "after_previous" });
  model.events.push(event);
  if (isLive(model) && (startMode === "after_previous" || startMode === "after_result")) {
    event.next = { step: "publish", atMs: null };
  }
  if (!ask) {
    planWaiting(model);
    return DONE;
  }
  publish(model, event);
  return open(model, event, { planned: false });
}

/** The defaults of a new event. */
const plan = {
  leadSeconds: 0,
  resolveWithinSeconds: 60,
  autoResult: null,
  minWagerCents: 1,
  maxWagerCents: null,
} as const;

const CANCEL_BEFORE_CLOSE_MS = 5_000;
const CANCEL_BEFORE_PAUSE_MS = 10_000;

type CallInput = Pick<ModelCall, "player" | "side" | "cents"> & { event: number; onTheHouse: boolean };

/** A player places a call. The clock, the event's limits and the balance are checked in this order. */
export function placeInModel(model: Model, input: CallInput): string {
  const event = model.events[input.event];
  if (event === undefined) return invalid("Spot must exist");
  const refused = refuseForTime(model, event) ?? refuseForMoney(model, event, input);
  if (refused !== null) return refused;
  const { onTheHouse: _, ...call } = input;
  const { round } = event;
  model.calls.push({ ...call, round, placedMs: model.nowMs, state: "placed", payoutCents: null });
  return DONE;
}

function refuseForTime(model: Model, event: ModelEvent): string | null {
  const { state } = event;
  if (["draft", "hidden", "destroyed"].includes(state)) return invalid("Spot must exist");
  if (state !== "visible" && isLate(model, event)) return wrongSpot("late");
  if (model.session === "paused" && (state === "visible" || state === "open")) return wrongSpot("paused");
  return state === "open" && model.session === "running" ? null : wrongSpot("invalid_spot_state");
}

/** True from the planned close on, also of an event that was closed earlier. */
function isLate(
  { nowMs, pausedMs, totalPausedMs }: Model,
  { closesMs, frozenClosesMs }: ModelEvent,
): boolean {
  return (pausedMs ?? nowMs) >= (frozenClosesMs ?? (closesMs ?? 0) + totalPausedMs);
}

function refuseForMoney(model: Model, event: ModelEvent, input: CallInput): string | null {
  const { player, cents, onTheHouse } = input;
  const { minWagerCents, maxWagerCents } = event.plan;
  if (cents < minWagerCents) return invalid(`Wager must be greater than or equal to ${minWagerCents / 100}`);
  const own = callsOf(model, event).filter((call) => call.player === player);
  const wageredCents = own.reduce((total, call) => total + call.cents, 0);
  if (maxWagerCents !== null && wageredCents + cents > maxWagerCents) {
    return invalid(`Wager must be less than or equal to ${maxWagerCents / 100}`);
  }
  if (cents <= availableCents(model, player)) return null;
  if (onTheHouse && addOnTheHouse(model, event, { player, cents })) return null;
  return invalid("Wallet has insufficient balance to cover", "insufficient_balance");
}

/** The house adds what is missing to a dollar, to a player who holds nothing, once for an event. */
function addOnTheHouse(
  model: Model,
  event: ModelEvent,
  { player, cents }: Pick<CallInput, "player" | "cents">,
): boolean {
  const once = `${player} ${model.events.indexOf(event)}`;
  const wallet = model.wallets[player];
  if (!model.houseDollar || wallet === undefined || cents > 100) return false;
  if (heldCents(model, player) > 0 || model.housed.has(once)) return false;
  model.housed.add(once);
  wallet.postedCents = cents;
  return true;
}

/**
 * A player cancels a call until 5 s before the close; during a pause only one of the 10 s before it. Cancelling it again changes
 * nothing.
 */
export function cancelInModel(model: Model, input: { call: number; player: number }): string {
  const call = model.calls[input.call];
  if (call === undefined || call.player !== input.player) return notFound;
  if (call.state === "destroyed") return DONE;
  const event = model.events[call.event];
  const inTime = showMs(model) <= (event?.closesMs ?? 0) - CANCEL_BEFORE_CLOSE_MS;
  const possible = call.state === "placed" && event?.state === "open";
  const isHeld = model.pausedMs !== null && model.pausedMs - call.placedMs > CANCEL_BEFORE_PAUSE_MS;
  if (!possible || !inTime || isHeld) return via("Destroy");
  call.state = "destroyed";
  applyChange(model, call.player, 0);
  return DONE;
}
