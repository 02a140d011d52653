import { close, hasStake, open, publish, refund, undecided } from "./event-transitions.ts";
import { isLive, type Model, type ModelEvent, secondsMs, showMs } from "./model.ts";
import { opensAt, planWaiting, waits } from "./plan-waiting.ts";
import { conflictOfInterest, DONE, invalid, notFound, via } from "./replies.ts";

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
