import {
  blank,
  callsOf,
  isLive,
  type Model,
  type ModelEvent,
  type Result,
  secondsMs,
  showMs,
} from "./model.ts";
import {
  conflictOfInterest,
  dependentCalls,
  DONE,
  invalid,
  notFound,
  reasonRequired,
  via,
  when,
} from "./replies.ts";
import { settle } from "./wallets.ts";

export const VOID_AFTER_MS = 86_400_000;
const UNDO_WITHIN_MS = 10_000;

export function publish(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "draft") return when(event.state);
  event.state = "visible";
  event.next = isLive(model) && event.opensMs !== null ? { step: "open", atMs: event.opensMs } : null;
  return DONE;
}

/** An admin opens an event now; its timer opens it at the planned moment, even if the timer is late. */
export function open(model: Model, event: ModelEvent, { planned }: { planned: boolean }): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "visible" || model.session !== "running") return when(event.state);
  event.state = "open";
  event.opensMs = planned ? (event.opensMs ?? showMs(model)) : showMs(model);
  event.closesMs = event.opensMs + secondsMs(event.plan.durationSeconds);
  event.resolveByMs = event.closesMs + secondsMs(event.plan.resolveWithinSeconds);
  event.next = { step: "close", atMs: event.closesMs };
  return DONE;
}

export function close(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "open") return when(event.state);
  event.state = "closed";
  for (const call of callsOf(model, event)) call.state = "closed";
  const closedMs = Math.min(event.closesMs ?? 0, showMs(model));
  event.resolveByMs = closedMs + secondsMs(event.plan.resolveWithinSeconds);
  event.next = event.autoResult === null ? null : { step: "resolve", atMs: event.resolveByMs };
  return DONE;
}

export type Verdict = {
  result: Result;
  effectiveMs: number | null;
  reason: string | null;
  actor: number | null;
};

export function resolve(model: Model, event: ModelEvent, verdict: Verdict): string {
  if (event.state === "destroyed") return notFound;
  if (!["open", "closed", "resolved"].includes(event.state)) return when(event.state);
  if ((verdict.effectiveMs ?? 0) > model.nowMs) return invalid("Effective at is invalid");
  if (isSameDecision(event, verdict)) return DONE;
  if (needsReason(model, event, verdict)) return reasonRequired;
  if (hasStake(model, event, verdict.actor)) return conflictOfInterest;
  if (event.state === "open") close(model, event);
  if (event.result === null && model.settlementDelayMs > 0) storePending(model, event, verdict);
  else pay(model, event, verdict);
  return DONE;
}

/** Pays a pending result; otherwise resolves to the planned result; without one voids the event at once. */
export function resolveByTimer(model: Model, event: ModelEvent): void {
  const { pending, autoResult } = event;
  const byTimer = { effectiveMs: null, actor: null, reason: null };
  if (pending !== null) pay(model, event, pending);
  else if (autoResult === null) pay(model, event, { ...byTimer, result: "void" });
  else resolve(model, event, { ...byTimer, result: autoResult });
}

/** Deciding the same result again, without another effective moment, changes nothing. */
function isSameDecision(event: ModelEvent, { result, effectiveMs }: Verdict): boolean {
  const decided = event.result === null ? event.pending : event;
  if (decided?.result !== result) return false;
  return effectiveMs === null || effectiveMs === decided.effectiveMs;
}

type Decision = Omit<Verdict, "reason">;

/** Stores a result that is paid after the settlement delay. */
function storePending(model: Model, event: ModelEvent, { result, effectiveMs, actor }: Decision): void {
  event.pending = { result, effectiveMs, actor };
  event.next = { step: "resolve", atMs: showMs(model) + model.settlementDelayMs };
}

function pay(model: Model, event: ModelEvent, { result, effectiveMs, actor }: Decision): void {
  settle(model, event, { result, effectiveMs });
  const resolvedMs = event.resolvedMs ?? model.nowMs;
  const resolved = { state: "resolved", result, effectiveMs, resolvedMs, resolvedBy: actor };
  Object.assign(event, resolved, { pending: null, next: null });
}

/** Withdraws a pending result before it is paid. From then on an admin has to decide. */
export function withdraw(model: Model, event: ModelEvent, { actor }: { actor: number }): string {
  if (event.state === "destroyed") return notFound;
  if (event.pending === null) return when(event.state);
  if (hasStake(model, event, actor)) return conflictOfInterest;
  event.pending = null;
  event.autoResult = null;
  event.next = model.session === "stopped" ? { step: "resolve", atMs: showMs(model) + VOID_AFTER_MS } : null;
  return DONE;
}

/** A correction needs a reason, except as an undo by the same admin within 10 s. */
function needsReason({ nowMs }: Model, event: ModelEvent, { reason, actor }: Verdict): boolean {
  if (event.result === null || reason) return false;
  const undoes = actor !== null && event.resolvedBy === actor;
  return !undoes || nowMs - (event.resolvedMs ?? 0) > UNDO_WITHIN_MS;
}

/** True if the actor has a call on the event and may not decide it; never true in a small room. */
export function hasStake(model: Model, event: ModelEvent, actor: number | null): boolean {
  return !model.smallRoom && callsOf(model, event).some(({ player }) => player === actor);
}

export function reset(model: Model, event: ModelEvent, by: { actor: number; reason: string | null }): string {
  if (event.state === "destroyed") return notFound;
  if (event.state === "draft") return when(event.state);
  if (hasStake(model, event, by.actor)) return conflictOfInterest;
  const movesMoney = event.result !== "void" && callsOf(model, event).length > 0;
  if (movesMoney && !by.reason) return reasonRequired;
  if (event.result === null) refund(model, event);
  else settle(model, event, { result: "void", effectiveMs: null });
  Object.assign(event, blank, { state: "draft", round: event.round + 1 });
  return DONE;
}

/** Refunds all wagers on an event and deletes its calls. */
export function refund(model: Model, event: ModelEvent): void {
  for (const call of callsOf(model, event)) call.state = "destroyed";
}

export function hide(_model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "visible" && event.state !== "resolved") return when(event.state);
  event.state = "hidden";
  event.next = null;
  return DONE;
}

export function show(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "hidden") return when(event.state);
  event.state = event.result === null ? "visible" : "resolved";
  const opens = event.result === null && isLive(model) && (event.opensMs ?? 0) > showMs(model);
  event.next = opens ? { step: "open", atMs: event.opensMs ?? 0 } : null;
  return DONE;
}

/** An event with calls in any round cannot be deleted. */
export function destroy(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  const index = model.events.indexOf(event);
  if (model.calls.some((call) => call.event === index && call.state !== "destroyed")) return dependentCalls;
  if (!["draft", "visible", "hidden"].includes(event.state)) return via("Destroy");
  event.state = "destroyed";
  event.next = null;
  return DONE;
}
