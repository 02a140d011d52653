import {
  blank,
  callsOf,
  conflictOfInterest,
  dependentCalls,
  DONE,
  applyChange,
  invalid,
  isLive,
  type Model,
  type ModelEvent,
  notFound,
  reasonRequired,
  type Result,
  secondsMs,
  settle,
  showMs,
  via,
  when,
} from "./model.ts";

// What may happen to an event, by hand or by its timers, by the rules of the game.

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

/** True for an event that waits for the close or the result of the event before it. */
export const waits = ({ state, next, opensMs }: ModelEvent) =>
  (state === "draft" || state === "visible") && next !== null && opensMs === null;

/** Gives every waiting event its times, if the event before it in the running order has what it waits for. */
export function planWaiting(model: Model): void {
  if (!isLive(model)) return;
  const order = model.events.filter(({ state }) => state !== "hidden" && state !== "destroyed");
  for (const [index, event] of order.entries()) {
    const fromMs = waits(event) ? endMs(model, event, order[index - 1]) : null;
    if (fromMs !== null) opensAt(model, event, fromMs + secondsMs(event.plan.offsetSeconds));
  }
}

/** From when an event's wait counts; null: not known yet. */
function endMs(model: Model, { plan }: ModelEvent, previous: ModelEvent | undefined): number | null {
  const nowMs = showMs(model);
  if (previous === undefined || previous.state === "resolved") return nowMs;
  if (plan.startMode === "after_result") return null;
  if (previous.state === "closed") return nowMs;
  const willClose = previous.next !== null && previous.opensMs !== null;
  return willClose ? Math.max(nowMs, previous.closesMs ?? 0) : null;
}

/** Plans an event that has not opened for this moment. */
export function opensAt(model: Model, event: ModelEvent, opensMs: number): void {
  const { durationSeconds, resolveWithinSeconds, leadSeconds } = event.plan;
  event.opensMs = opensMs;
  event.closesMs = opensMs + secondsMs(durationSeconds);
  event.resolveByMs = event.closesMs + secondsMs(resolveWithinSeconds);
  const publishMs = Math.max(showMs(model), opensMs - secondsMs(leadSeconds));
  event.next =
    event.state === "draft" ? { step: "publish", atMs: publishMs } : { step: "open", atMs: opensMs };
}

export function advance(model: Model, event: ModelEvent, by: { actor: number }): string {
  const refused = refuse(model, event, "Advance", ["draft", "visible", "open", "closed"]);
  if (refused !== null) return refused;
  if (hasStake(model, event, by.actor)) return conflictOfInterest;
  if (event.state === "draft") return publishNow(model, event);
  if (event.state === "visible") return openNow(model, event);
  if (event.state === "closed") return startNext(model, event);
  const shiftMs = untilNowMs(model, event.closesMs);
  close(model, event);
  shiftFollowing(model, event, shiftMs);
  return DONE;
}

function publishNow(model: Model, event: ModelEvent): string {
  const byHand = event.plan.startMode === "by_hand" && event.opensMs === null;
  if (byHand || waits(event)) return startNow(model, event);
  const shiftMs = untilNowMs(model, event.next?.atMs ?? null);
  shift(event, shiftMs);
  shiftFollowing(model, event, shiftMs);
  return publish(model, event);
}

/** An event without a time is shown now, and opens after its lead. */
function startNow(model: Model, event: ModelEvent): string {
  opensAt(model, event, showMs(model) + secondsMs(event.plan.leadSeconds));
  publish(model, event);
  planWaiting(model);
  return DONE;
}

function openNow(model: Model, event: ModelEvent): string {
  if (model.session !== "running") return via("Advance");
  const shiftMs = untilNowMs(model, event.opensMs);
  shiftFollowing(model, event, shiftMs);
  return open(model, event, { planned: false });
}

function startNext(model: Model, event: ModelEvent): string {
  const next = unopenedAfter(model, event)[0];
  if (model.session !== "running" || next === undefined) return via("Advance");
  if (next.state === "draft") publish(model, next);
  return openNow(model, next);
}

export function skip(model: Model, event: ModelEvent): string {
  const refused = refuse(model, event, "Skip", ["visible", "open", "closed"]);
  if (refused !== null) return refused;
  const shiftMs = freedTimeMs(model, event);
  shiftFollowing(model, event, shiftMs);
  refund(model, event);
  event.state = "hidden";
  Object.assign(event, undecided);
  event.next = null;
  planWaiting(model);
  return DONE;
}

/** The time that a skip frees: the rest of an open event's time; if it has not opened, the next event opens in its stead. */
function freedTimeMs(model: Model, event: ModelEvent): number {
  if (event.state === "open") return untilNowMs(model, event.closesMs);
  if (event.state === "closed" || event.opensMs === null) return 0;
  const next = unopenedAfter(model, event).find(
    (later) => later.opensMs !== null || later.next !== null || later.plan.startMode === "by_hand",
  );
  if (next?.opensMs == null) return 0;
  return Math.min(0, Math.max(event.opensMs, showMs(model)) - next.opensMs);
}

type Delay = { seconds: number; actor: number };

export function delay(model: Model, event: ModelEvent, { seconds, actor }: Delay): string {
  const refused = refuse(model, event, "Delay", ["draft", "visible", "open", "closed"]);
  if (refused !== null) return refused;
  if (hasStake(model, event, actor)) return conflictOfInterest;
  if (event.next?.atMs == null) return via("Delay");
  const leftMs = event.next.atMs - showMs(model);
  if (seconds < 0 && leftMs + secondsMs(seconds) < 0) {
    const most = Math.min(0, -Math.floor(leftMs / 1_000));
    return invalid(`Seconds must be greater than or equal to ${most}`);
  }
  shift(event, secondsMs(seconds));
  shiftFollowing(model, event, secondsMs(seconds));
  return DONE;
}

function refuse(model: Model, { state }: ModelEvent, label: string, from: readonly string[]): string | null {
  if (state === "destroyed") return notFound;
  return isLive(model) && from.includes(state) ? null : via(label);
}

/** The shift that brings a future moment to now (negative); 0 for a past moment. */
const untilNowMs = (model: Model, momentMs: number | null) =>
  momentMs === null ? 0 : Math.min(0, showMs(model) - momentMs);

function unopenedAfter(model: Model, event: ModelEvent): ModelEvent[] {
  return model.events
    .slice(model.events.indexOf(event) + 1)
    .filter(({ state }) => state === "draft" || state === "visible");
}

function shiftFollowing(model: Model, event: ModelEvent, byMs: number): void {
  for (const later of unopenedAfter(model, event)) if (later.opensMs !== null) shift(later, byMs);
}

/** Shifts the moments that are still ahead. */
function shift(event: ModelEvent, byMs: number): void {
  const plus = (moment: number | null) => (moment === null ? null : moment + byMs);
  if (event.state === "draft" || event.state === "visible") event.opensMs = plus(event.opensMs);
  if (event.state !== "closed") event.closesMs = plus(event.closesMs);
  event.resolveByMs = plus(event.resolveByMs);
  if (event.next !== null) event.next = { ...event.next, atMs: plus(event.next.atMs) };
}

/** Lets time pass: timed transitions happen at their moments, in order. None happens while the session is paused. */
export function passTime(model: Model, byMs: number): void {
  const untilMs = model.nowMs + byMs;
  for (;;) {
    const due = nextDue(model);
    if (due === null) break;
    const dueMs = Math.max(model.nowMs, due.atMs + model.totalPausedMs);
    if (dueMs > untilMs) break;
    model.nowMs = dueMs;
    perform(model, due.event, due.step);
  }
  model.nowMs = untilMs;
}

function nextDue(model: Model) {
  if (model.session === "paused") return null;
  const planned = model.events.flatMap((event) =>
    event.next?.atMs == null ? [] : [{ event, step: event.next.step, atMs: event.next.atMs }],
  );
  return planned.toSorted((one, other) => one.atMs - other.atMs)[0] ?? null;
}

function perform(model: Model, event: ModelEvent, step: NonNullable<ModelEvent["next"]>["step"]): void {
  if (step === "publish") publish(model, event);
  if (step === "open") open(model, event, { planned: true });
  if (step === "close") close(model, event);
  if (step === "resolve") resolveByTimer(model, event);
}

/** Milliseconds until an event's next transition or close; 0 if there is none ahead. */
export function nextBoundaryMs(model: Model, event: ModelEvent | undefined): number {
  const moments = [event?.next?.atMs, event?.closesMs].flatMap((moment) => moment ?? []);
  const ahead = moments.map((moment) => moment - showMs(model)).filter((leftMs) => leftMs > 0);
  return ahead.length === 0 ? 0 : Math.min(...ahead);
}
