import { cancelInModel } from "./calls.ts";
import { close, VOID_AFTER_MS } from "./event-transitions.ts";
import { type Model, secondsMs, showMs } from "./model.ts";
import { opensAt } from "./plan-waiting.ts";
import { DONE, via } from "./replies.ts";

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
