import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { formatMoney } from "../ui/money.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";

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
    </>
  );
}

/** Holds its text for one second; removing it is not announced. */
function SecondsLeft() {
  const { event, phase, data } = useView();
  const open = phase === "open" || phase === "closing";
  const closesAtMs = Date.parse(event?.closesAt ?? "");
  const secondsLeft = useServerTime((nowMs) => {
    const left = Math.ceil((closesAtMs - nowMs) / 1_000);
    return open && ANNOUNCED_AT_S.includes(left) ? left : null;
  }, data.serverTime);
  return (
    <p className="vh" aria-live="polite">
      {secondsLeft === null ? "" : `${secondsLeft} seconds left.`}
    </p>
  );
}

function textFor(view: View): string {
  const { event, phase } = view;
  return event === null ? "" : texts[phase](event, view);
}

const question = (event: EventView) => `${event.title} ${event.trueLabel} or ${event.falseLabel}.`;
const nothing = () => "";

const texts: Record<View["phase"], (event: EventView, view: View) => string> = {
  pending: nothing,
  waiting: nothing,
  visible: (event) => `Next: ${question(event)}`,
  open: (event) => `Open: ${question(event)}`,
  closing: (event) => `Open: ${question(event)}`,
  locking: (event) => `Open: ${question(event)}`,
  closed: (event) =>
    event.pendingResult === null ? "Calls closed." : `Result: ${resultLabel(event)}. It pays in a moment.`,
  paused: () => "Paused by the host. Your calls are safe.",
  resolved: (event, { viewerCalls, state }) => {
    const corrected = state.corrected.includes(event.id) ? "Corrected: " : "";
    return `${corrected}${resultLabel(event)}. ${outcomeText(viewerCalls)}`;
  },
  stopped: nothing,
};

function outcomeText(viewerCalls: View["viewerCalls"]): string {
  const outcome = viewerCalls?.outcome;
  if (outcome === null || outcome === undefined) return "";
  if (outcome.kind === "refunded") return "Your wager is refunded.";
  if (outcome.kind === "even") return "You come out even.";
  return outcome.kind === "won"
    ? `You won ${formatMoney(outcome.netCents)}.`
    : `You lost ${formatMoney(-outcome.netCents)}.`;
}
