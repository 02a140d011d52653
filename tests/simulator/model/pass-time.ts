import { close, open, publish, resolveByTimer } from "./event-transitions.ts";
import { type Model, type ModelEvent, showMs } from "./model.ts";

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
