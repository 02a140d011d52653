import { close, VOID_AFTER_MS } from "./event-transitions.ts";
import { type Model, secondsMs, showMs } from "./model.ts";
import { DONE, via } from "./replies.ts";

export function start(model: Model): string {
  const unopened = model.events.filter(({ state }) => state === "draft" || state === "visible");
  if (model.session !== "pending" || unopened.length === 0) return via("Start");
  model.session = "running";
  model.active = true;
  let previousClosesMs = model.nowMs;
  for (const event of unopened) {
    const { startMode, offsetSeconds, durationSeconds, resolveWithinSeconds, leadSeconds } = event.plan;
    const fromMs = startMode === "offset" ? model.nowMs : previousClosesMs;
    const opensMs = fromMs + secondsMs(offsetSeconds);
    previousClosesMs = opensMs + secondsMs(durationSeconds);
    event.opensMs = opensMs;
    event.closesMs = previousClosesMs;
    event.resolveByMs = previousClosesMs + secondsMs(resolveWithinSeconds);
    const publishMs = Math.max(model.nowMs, opensMs - secondsMs(leadSeconds));
    event.next =
      event.state === "draft" ? { step: "publish", atMs: publishMs } : { step: "open", atMs: opensMs };
  }
  return DONE;
}

export function pause(model: Model): string {
  if (model.session !== "running") return via("Pause");
  model.session = "paused";
  model.pausedMs = model.nowMs;
  return DONE;
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
export function stop(model: Model): string {
  if (model.session !== "running" && model.session !== "paused") return via("Stop");
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
