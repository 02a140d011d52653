import { streamDelay } from "#client/base/delay/stream-delay.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import * as texts from "#client/events/action-texts.ts";
import { pendingWords } from "#client/events/pending-words.ts";
import { resultLabel } from "#client/events/result-label.ts";
import { useView, type View } from "#client/events/view.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** Seconds before the close at which a screen reader announces the time left. */
const ANNOUNCED_AT_S = [30, 10, 5];

/** Live regions for screen readers; a region is read when its text changes. Urgent text interrupts. */
export function Announcer() {
  const view = useView();
  const { event, phase, placing } = view;
  const urgent = phase === "paused" || (phase === "resolved" && event?.voided === true);
  const text = textFor(view);
  return (
    <>
      <p className="vh" aria-live="polite">
        {urgent ? "" : text}
      </p>
      <p className="vh" aria-live="assertive">
        {urgent ? text : ""}
      </p>
      <SecondsLeft />
      <p className="vh" aria-live="polite">
        {placing.news}
      </p>
      <p className="vh" aria-live="polite">
        {placing.takenBack === null ? "" : texts.undoSpoken}
      </p>
    </>
  );
}

/** Holds its text for one second; removing it is not announced. */
function SecondsLeft() {
  const { event, phase, data } = useView();
  const open = phase === "open" || phase === "closing";
  const closesAtMs = Date.parse(event?.closesAt ?? "") - streamDelay.delayMs;
  const secondsLeft = useServerTime((nowMs) => {
    const left = Math.ceil((closesAtMs - nowMs) / 1_000);
    return open && ANNOUNCED_AT_S.includes(left) ? left : null;
  }, data.serverTime);
  return (
    <p className="vh" aria-live="polite">
      {secondsLeft === null ? "" : texts.timeLeft(secondsLeft)}
    </p>
  );
}

function textFor(view: View): string {
  const { event, phase } = view;
  if (event === null) return phase === "stopped" ? texts.sessionOver : "";
  return announcements[phase](event, view);
}

const question = ({ title, trueLabel, falseLabel }: EventView) =>
  texts.questionWithLabels(title, trueLabel, falseLabel);
const nothing = () => "";

const announcements: Record<View["phase"], (event: EventView, view: View) => string> = {
  pending: nothing,
  waiting: nothing,
  visible: (event) => texts.nextQuestion(question(event)),
  open: (event) => texts.openQuestion(question(event)),
  closing: (event) => texts.openQuestion(question(event)),
  locking: (event) => texts.openQuestion(question(event)),
  closed: (event, { viewerCalls }) =>
    event.pendingResult === null
      ? texts.callsClosed
      : texts.resultPaysSoon(resultLabel(event), pendingWords(event, viewerCalls)),
  paused: () => texts.pausedSpoken,
  resolved: (event, { viewerCalls, state }) => {
    const label = resultLabel(event);
    const result = state.corrected.includes(event.id) ? texts.corrected(label) : label;
    return `${result}. ${outcomeText(viewerCalls)}`;
  },
  stopped: nothing,
};

function outcomeText(viewerCalls: View["viewerCalls"]): string {
  const outcome = viewerCalls?.outcome;
  if (outcome === null || outcome === undefined) return "";
  if (outcome.kind === "refunded") return texts.youWereRefunded;
  if (outcome.kind === "even") return texts.youCameOutEven;
  return outcome.kind === "won" ? texts.youWon(outcome.netCents) : texts.youLost(-outcome.netCents);
}
