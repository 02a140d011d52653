import { countdown, minutes } from "#client/base/format/countdown.ts";
import type { ActionState } from "#client/events/action-state.ts";
import { CLOSING_MS, type CurrentEvent, currentEventAt, type Phase } from "#client/events/current-event.ts";
import { resultLabel } from "#client/events/result-label.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { liveTexts } from "./phone-texts.ts";

/** The game in two lines, which are always there: what it is about, and how it stands. */
export type LiveWords = {
  /** The question; the session's name between the actions. */
  title: string;
  words: string;
  /** The last seconds before the close. */
  closing: boolean;
};

/** @param nowMs the server's time, in milliseconds. */
export function liveWordsAt(
  state: Pick<ActionState, "session" | "events" | "withdrawn">,
  nowMs: number,
): LiveWords {
  const current = currentEventAt(state, nowMs);
  return {
    title: current.event?.title ?? state.session.name,
    words: wordsFor(current, nowMs),
    closing: current.phase === "closing" || current.phase === "locking",
  };
}

function wordsFor({ event, phase }: CurrentEvent, nowMs: number): string {
  const words = byPhase[phase];
  if (typeof words === "string") return words;
  return event === null ? liveTexts.waiting : words(event, nowMs);
}

type Words = string | ((event: EventView, nowMs: number) => string);

const opening: Words = ({ opensAt }, nowMs) =>
  opensAt === null ? liveTexts.waiting : liveTexts.opens(minutes(leftMs(opensAt, nowMs)));
const closing: Words = ({ closesAt }, nowMs) => liveTexts.closes(closesIn(leftMs(closesAt, nowMs)));
const result = (event: EventView) => liveTexts.resolved(resultLabel(event));

const byPhase: Record<Phase, Words> = {
  pending: liveTexts.pending,
  waiting: liveTexts.waiting,
  visible: opening,
  open: closing,
  closing,
  locking: liveTexts.locking,
  closed: (event) => (event.pendingResult === null ? liveTexts.closed : result(event)),
  paused: liveTexts.paused,
  resolved: result,
  withdrawn: liveTexts.withdrawn,
  stopped: liveTexts.over,
};

/** "0:12", then "4.2" */
function closesIn(ms: number): string {
  return ms < CLOSING_MS ? countdown(ms) : minutes(ms);
}

function leftMs(at: string | null, nowMs: number): number {
  return at === null ? 0 : Date.parse(at) - nowMs;
}
