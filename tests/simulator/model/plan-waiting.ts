import { isLive, type Model, type ModelEvent, secondsMs, showMs } from "./model.ts";

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
