import { advanceEvent } from "#src/show/events/advance-event.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { createFollower, addToTimeline } from "./follow-show.ts";
import { outcomeOf } from "./outcome.ts";
import { type Play, START_MS } from "./play.ts";
import { runUntil } from "./run-until.ts";
import { readSnapshots } from "./show.ts";

/** The host starts an event that waits for nobody else, and ends the session, after this time. */
const HOST_WAITS_MS = 5_000;
const HOUR_MS = 3_600_000;
/** A plan that takes longer on the virtual clock is not played to its end. */
const SHOW_MAX_MS = 48 * HOUR_MS;

/** Plays the show from its start to its end. It can be played once. */
export async function playShow(play: Play): Promise<void> {
  const { show, sessionId, host } = play;
  const follow = createFollower(play);
  await startSession(show.deps, { sessionId, actor: host });
  addToTimeline(play, "session_started", null);
  await follow();
  while (await step(play)) {
    await follow();
    await pulse(play);
  }
  await show.clock.setMs(show.clock.nowMs() + HOST_WAITS_MS);
  await stopSession(show.deps, { sessionId, actor: host });
  await follow();
  addToTimeline(play, "session_stopped", null);
}

/** Does what comes next, up to the next change of an event. @returns false at the end of the show. */
async function step(play: Play): Promise<boolean> {
  const { show, agenda } = play;
  for (;;) {
    const actionMs = agenda.nextMs() ?? Number.POSITIVE_INFINITY;
    const alarmMs = show.queue.nextMs() ?? Number.POSITIVE_INFINITY;
    if (Math.min(actionMs, alarmMs) - START_MS > SHOW_MAX_MS) return startNext(play);
    // At the same moment the clock comes first: a tap at the close is late anyway.
    if (alarmMs <= actionMs) {
      await runUntil(show, alarmMs);
      return true;
    }
    const before = play.taps.length;
    if (actionMs > show.clock.nowMs()) await show.clock.setMs(actionMs);
    await agenda.takeNext()?.act();
    // Taps change no event's state.
    if (play.taps.length === before) return true;
    await pulse(play);
  }
}

/** The host starts the first event that has not opened and has no time. @returns false if there is none. */
async function startNext({ show, host }: Play): Promise<boolean> {
  const waiting = (await readSnapshots(show)).find(
    ({ event: { state, dueAt } }) => (state === "draft" || state === "visible") && dueAt === null,
  );
  if (waiting === undefined) return false;
  await show.clock.setMs(show.clock.nowMs() + HOST_WAITS_MS);
  const outcome = await outcomeOf(advanceEvent(show.deps, { eventId: waiting.event.id, actor: host }));
  return outcome.done;
}

function pulse({ records, show, pulse: beat }: Play): Promise<void> {
  return beat({
    eventsDone: records.filter(({ resolvedAtMs }) => resolvedAtMs !== null).length,
    callsCount: show.calls.length,
  });
}
