import { guardWhenGone } from "#client/base/browser/click-guard.ts";
import { countdown, minutes } from "#client/base/format/countdown.ts";
import * as shared from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import type { ActionState } from "#client/events/action-state.ts";
import { CLOSING_MS, type CurrentEvent, currentEventAt, type Phase } from "#client/events/current-event.ts";
import { resultLabel } from "#client/events/result-label.ts";
import { useView } from "#client/events/view.ts";
import { Icon } from "#client/ui/icon.tsx";
import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { closeSheet } from "./sheet-history.ts";

const opening: Words = ({ opensAt }, nowMs) =>
  opensAt === null ? shared.nextIsOnItsWay : `Opens in ${minutes(leftMs(opensAt, nowMs))}`;
const closing: Words = ({ closesAt }, nowMs) => `Closes in ${closesIn(leftMs(closesAt, nowMs))}`;
const result = (event: EventView) => say`Result: ${resultLabel(event)}`;

const byPhase: Record<Phase, Words> = {
  pending: "Not started yet",
  waiting: shared.nextIsOnItsWay,
  visible: opening,
  open: closing,
  closing,
  locking: "Closing",
  closed: (event) => (event.pendingResult === null ? "Calls are closed" : result(event)),
  paused: "Paused by the host",
  resolved: result,
  withdrawn: "Skipped by the host",
  stopped: "This session is over",
};

/** The way back to the game, at the top of a sheet: the question and its clock. It stands out in the last seconds. */
export function LiveLine() {
  const { state, data } = useView();
  const { title, words, closing } = useLiveWords(state, data.serverTime);
  return (
    <button
      className={closing ? "live-line closing" : "live-line"}
      type="button"
      onClick={closeSheet}
      ref={guardWhenGone}
    >
      <span className="names">
        <b className="clip">{title}</b>
        <span className="small num">{words}</span>
      </span>
      <span className="row small nowrap">
        <Icon name="undo" size="s" />
        Back
        <span className="vh">{" to the game"}</span>
      </span>
    </button>
  );
}

/** The game in one line, as time passes. */
export function useLiveWords(state: Parameters<typeof liveWordsAt>[0], renderedAt: string): LiveWords {
  const changed = useServerTime((nowMs) => JSON.stringify(liveWordsAt(state, nowMs)), renderedAt);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is what `liveWordsAt` returned, as text, so that equal words draw nothing anew.
  return JSON.parse(changed) as LiveWords;
}

/** The game in two lines, which are always there: what it is about, and how it stands. */
type LiveWords = {
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
  return event === null ? shared.nextIsOnItsWay : words(event, nowMs);
}

type Words = string | ((event: EventView, nowMs: number) => string);

/** "0:12", then "4.2" */
function closesIn(ms: number): string {
  return ms < CLOSING_MS ? countdown(ms) : minutes(ms);
}

function leftMs(at: string | null, nowMs: number): number {
  return at === null ? 0 : Date.parse(at) - nowMs;
}
