import { callsOf, type Model, type ModelCall, type ModelEvent, showMs } from "./model.ts";
import { DONE, invalid, notFound, via, wrongSpot } from "./replies.ts";
import { applyChange, availableCents, heldCents } from "./wallets.ts";

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
