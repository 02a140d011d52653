import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { excludePlayer, restorePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent, withdrawResult } from "#src/show/events/resolve-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildDraft } from "#tests/support/build.ts";
import type { DrivenShow } from "./driven-show.ts";

const pool = ["Spot/pool"];
const result = ["Event/resolve", "Score/leaders"];
const SECOND_MS = 1_000;

/** Plays a show in which everything happens that can change what the public sees. The session has a settlement delay. */
export async function playShow(show: DrivenShow): Promise<void> {
  await playCorrected(show);
  await playSkipped(show);
  await playReset(show);
  const last = await openNext(show, "Fourth?");
  await show.after(1, () => show.place({ player: 0, eventId: last, side: "true", wagerCents: 125 }), pool);
  const { sessionId } = show;
  await show.after(3, (web) => stopSession(web, { sessionId, actor: null }), ["Session/stop"]);
}

/** A pause, a result that is taken back, one that is corrected, and a call after the effective moment. */
async function playCorrected(show: DrivenShow): Promise<void> {
  const { sessionId, admin } = show;
  const session = { sessionId, actor: null };
  const eventId = await openNext(show, "First?");
  await show.after(1, () => show.place({ player: 0, eventId, side: "true", wagerCents: 300 }), pool);
  await show.after(0.4, () => show.place({ player: 1, eventId, side: "false", wagerCents: 250 }), pool);
  await show.after(0.6, () => show.place({ player: 2, eventId, side: "false", wagerCents: 100 }), pool);
  await show.after(2, (web) => pauseSession(web, session), ["Session/pause"]);
  await show.after(5, (web) => resumeSession(web, session), ["Session/resume"]);
  await show.after(3, () => show.place({ player: 3, eventId, side: "true", wagerCents: 400 }), pool);
  const effectiveAt = new Date(show.nowMs - SECOND_MS);
  await show.after(1, (web) => closeEvent(web, { eventId, actor: null }), ["Event/close_event"]);
  // A host's result waits for the settlement delay. A timer's result does not wait.
  await show.after(1, (web) => resolveEvent(web, { eventId, actor: admin, result: "false" }), [
    "Event/update",
  ]);
  await show.after(2, (web) => withdrawResult(web, { eventId, actor: admin }), ["Event/update"]);
  await show.after(4, (web) => resolveEvent(web, { eventId, actor: null, result: "true" }), result);
  const correction = { result: "false", reason: "It was not", effectiveAt } as const;
  await show.after(3, (web) => resolveEvent(web, { eventId, actor: null, ...correction }), result);
}

/** A changed question, a cancelled call, and a skip, which refunds. */
async function playSkipped(show: DrivenShow): Promise<void> {
  const { id: eventId } = await addDraft(show, "Second?");
  await show.after(1, (web) => publishEvent(web, { eventId, actor: null }), ["Event/publish_event"]);
  const changes = { title: "=Second, and better?" };
  await show.after(1, (web) => updateEvent(web, { eventId, actor: show.admin, changes }), ["Event/update"]);
  await show.after(1, (web) => openEvent(web, { eventId, actor: null }), ["Event/open_event"]);
  let callId = 0;
  const place = async () => {
    callId = await show.place({ player: 0, eventId, side: "true", wagerCents: 500 });
  };
  await show.after(1, place, pool);
  await show.after(1, () => show.place({ player: 1, eventId, side: "false", wagerCents: 200 }), pool);
  await show.after(2, (web) => cancelCall(web, { viewer: show.player(0), callId }), pool);
  await show.after(2, (web) => skipEvent(web, { eventId, actor: null }), ["Event/hide"]);
}

/** An exclusion and its end, an event that is hidden and shown, a reset, which takes a result back, and a void. */
async function playReset(show: DrivenShow): Promise<void> {
  const { admin, sessionId } = show;
  const eventId = await openNext(show, "Third?");
  const on = { eventId, actor: null };
  await show.after(1, () => show.place({ player: 1, eventId, side: "true", wagerCents: 900 }), pool);
  await show.after(1, () => show.place({ player: 2, eventId, side: "false", wagerCents: 700 }), pool);
  await show.after(1, (web) => resolveEvent(web, { ...on, result: "true" }), result);
  const excluded = { actor: admin, userId: show.player(1).id, sessionId: String(sessionId), reason: "Test" };
  let exclusionId = 0;
  await show.after(
    2,
    async (web) => {
      exclusionId = (await excludePlayer(web, excluded)).exclusion.id;
    },
    ["Score/leaders"],
  );
  await show.after(3, (web) => restorePlayer(web, { actor: admin, exclusionId }), ["Score/leaders"]);
  await show.after(2, (web) => hideEvent(web, on), ["Event/hide"]);
  await show.after(2, (web) => showHiddenEvent(web, on), ["Event/show"]);
  const reset = { eventId, actor: admin, reason: "Asked wrongly" };
  await show.after(2, (web) => resetEvent(web, reset), ["Event/reset", "Score/leaders"]);
  await show.after(2, (web) => publishEvent(web, on), ["Event/publish_event"]);
  await show.after(1, (web) => openEvent(web, on), ["Event/open_event"]);
  await show.after(1, () => show.place({ player: 0, eventId, side: "false", wagerCents: 350 }), pool);
  await show.after(2, (web) => resolveEvent(web, { ...on, result: "void", reason: "Rain" }), result);
}

function addDraft({ web, sessionId }: DrivenShow, title: string) {
  return buildDraft(web, { sessionId, title, startMode: "by_hand", durationSeconds: 600 });
}

/** @returns the id of a new event that is open. */
async function openNext(show: DrivenShow, title: string): Promise<number> {
  const { id: eventId } = await addDraft(show, title);
  await show.after(1, (web) => publishEvent(web, { eventId, actor: null }), ["Event/publish_event"]);
  await show.after(2, (web) => openEvent(web, { eventId, actor: null }), ["Event/open_event"]);
  return eventId;
}
