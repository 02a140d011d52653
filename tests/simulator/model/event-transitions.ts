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
import { planWaiting, waits } from "./plan-waiting.ts";
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
import { applyChange, settle } from "./wallets.ts";

export const VOID_AFTER_MS = 86_400_000;
const UNDO_WITHIN_MS = 10_000;

export function publish(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "draft") return when(event.state);
  const isPlanned = isLive(model) && (event.opensMs !== null || waits(event));
  event.state = "visible";
  event.next = isPlanned ? { step: "open", atMs: event.opensMs } : null;
  return DONE;
}

/** An admin opens an event now; its timer opens it at the planned moment, even if the timer is late. */
export function open(model: Model, event: ModelEvent, { planned }: { planned: boolean }): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "visible" || model.session !== "running") return when(event.state);
  event.state = "open";
  event.opensMs = planned ? (event.opensMs ?? showMs(model)) : showMs(model);
  event.closesMs = event.opensMs + secondsMs(event.plan.durationSeconds);
  event.frozenClosesMs = null;
  event.resolveByMs = event.closesMs + secondsMs(event.plan.resolveWithinSeconds);
  event.next = { step: "close", atMs: event.closesMs };
  planWaiting(model);
  return DONE;
}

export function close(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "open") return when(event.state);
  event.state = "closed";
  event.frozenClosesMs = (event.closesMs ?? 0) + model.totalPausedMs;
  for (const call of callsOf(model, event)) call.state = "closed";
  const closedMs = Math.min(event.closesMs ?? 0, showMs(model));
  event.resolveByMs = closedMs + secondsMs(event.plan.resolveWithinSeconds);
  event.next = event.autoResult === null ? null : { step: "resolve", atMs: event.resolveByMs };
  return DONE;
}

/** A host closes it, and not its timer. */
export function closeByHost(model: Model, event: ModelEvent, { actor }: { actor: number }): string {
  const mayClose = event.state !== "open" || !hasStake(model, event, actor);
  return mayClose ? close(model, event) : conflictOfInterest;
}

export type Verdict = {
  result: Result;
  /** Undefined: that of the result which this one replaces or corrects. */
  effectiveMs?: number | null | undefined;
  reason: string | null;
  actor: number | null;
};

export function resolve(model: Model, event: ModelEvent, verdict: Verdict): string {
  if (event.state === "destroyed") return notFound;
  if (!["open", "closed", "resolved"].includes(event.state)) return when(event.state);
  if ((verdict.effectiveMs ?? 0) > model.nowMs) return invalid("Effective at is invalid");
  const effectiveMs = verdict.effectiveMs === undefined ? event.effectiveMs : verdict.effectiveMs;
  const isSame = verdict.result === (event.result ?? event.pending) && effectiveMs === event.effectiveMs;
  if (isSame) return DONE;
  if (needsReason(model, event, verdict)) return reasonRequired;
  if (hasStake(model, event, verdict.actor)) return conflictOfInterest;
  if (event.state === "open") close(model, event);
  decide(model, event, { ...verdict, effectiveMs });
  return DONE;
}

/** Only a person's first result waits for the settlement delay. */
function decide(model: Model, event: ModelEvent, decision: Decision): void {
  const waits = event.result === null && decision.actor !== null && model.settlementDelayMs > 0;
  if (waits) storePending(model, event, decision);
  else pay(model, event, decision);
}

/** Pays a pending result; otherwise resolves to the planned result; without one voids the event at once. */
export function resolveByTimer(model: Model, event: ModelEvent): void {
  const { pending, autoResult, effectiveMs, decidedBy } = event;
  if (pending !== null) return pay(model, event, { result: pending, effectiveMs, actor: decidedBy });
  const actor = null;
  if (autoResult === null) pay(model, event, { result: "void", effectiveMs, actor });
  else resolve(model, event, { result: autoResult, actor, reason: null });
}

type Decision = { result: Result; effectiveMs: number | null; actor: number | null };

/** Stores a result that is paid after the settlement delay. */
function storePending(model: Model, event: ModelEvent, { result, effectiveMs, actor }: Decision): void {
  Object.assign(event, { pending: result, effectiveMs, decidedMs: model.nowMs, decidedBy: actor });
  event.next = { step: "resolve", atMs: showMs(model) + model.settlementDelayMs };
}

function pay(model: Model, event: ModelEvent, { result, effectiveMs, actor }: Decision): void {
  settle(model, event, { result, effectiveMs });
  const decided = { effectiveMs, decidedMs: event.decidedMs ?? model.nowMs, decidedBy: actor };
  Object.assign(event, decided, { state: "resolved", result, pending: null, next: null });
  planWaiting(model);
}

/** The fields of an event without a decision. */
export const undecided = { pending: null, effectiveMs: null, decidedMs: null, decidedBy: null } as const;

/** Withdraws a pending result before it is paid. From then on an admin has to decide. */
export function withdraw(model: Model, event: ModelEvent, { actor }: { actor: number }): string {
  if (event.state === "destroyed") return notFound;
  if (event.pending === null) return when(event.state);
  if (hasStake(model, event, actor)) return conflictOfInterest;
  Object.assign(event, undecided);
  event.autoResult = null;
  event.next = model.session === "stopped" ? { step: "resolve", atMs: showMs(model) + VOID_AFTER_MS } : null;
  return DONE;
}

/** A correction needs a reason, except as an undo by the same admin within 10 s of the decision. */
function needsReason({ nowMs }: Model, event: ModelEvent, { reason, actor }: Verdict): boolean {
  if (event.result === null || reason) return false;
  const undoes = actor !== null && event.decidedBy === actor;
  return !undoes || nowMs - (event.decidedMs ?? 0) > UNDO_WITHIN_MS;
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
  for (const call of callsOf(model, event)) {
    call.state = "destroyed";
    applyChange(model, call.player, 0);
  }
}

export function hide(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "visible" && event.state !== "resolved") return when(event.state);
  event.state = "hidden";
  event.next = null;
  planWaiting(model);
  return DONE;
}

export function show(model: Model, event: ModelEvent): string {
  if (event.state === "destroyed") return notFound;
  if (event.state !== "hidden") return when(event.state);
  event.state = event.result === null ? "visible" : "resolved";
  const opens = event.result === null && isLive(model) && (event.opensMs ?? 0) > showMs(model);
  event.next = opens ? { step: "open", atMs: event.opensMs ?? 0 } : null;
  planWaiting(model);
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
  planWaiting(model);
  return DONE;
}
