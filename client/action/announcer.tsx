import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { formatMoney } from "../ui/money.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";

/** Seconds before the close that are said aloud. */
const SAID_AT_S = [30, 10, 5];

/** Says what a screen reader must not miss; what cannot wait is said at once. Each place speaks when its words change. */
export function Announcer() {
  const view = useView();
  const { event, phase, placing } = view;
  const urgent = phase === "paused" || (phase === "resolved" && event?.voided === true);
  const told = wordsOf(view);
  return (
    <>
      <p className="heard" aria-live="polite">
        {urgent ? "" : told}
      </p>
      <p className="heard" aria-live="assertive">
        {urgent ? told : ""}
      </p>
      <SecondsLeft />
      <p className="heard" aria-live="polite">
        {placing.news}
      </p>
    </>
  );
}

/** Stands for the one second that it names; what is taken away again is not read. */
function SecondsLeft() {
  const { event, phase, data } = useView();
  const open = phase === "open" || phase === "closing";
  const closesAtMs = Date.parse(event?.closesAt ?? "");
  const said = useServerTime((nowMs) => {
    const left = Math.ceil((closesAtMs - nowMs) / 1_000);
    return open && SAID_AT_S.includes(left) ? left : null;
  }, data.serverTime);
  return (
    <p className="heard" aria-live="polite">
      {said === null ? "" : `${said} seconds left.`}
    </p>
  );
}

function wordsOf(view: View): string {
  const { event, phase } = view;
  return event === null ? "" : words[phase](event, view);
}

const asked = (event: EventView) => `${event.title} ${event.trueLabel} or ${event.falseLabel}.`;
const nothing = () => "";

const words: Record<View["phase"], (event: EventView, view: View) => string> = {
  pending: nothing,
  waiting: nothing,
  visible: (event) => `Next: ${asked(event)}`,
  open: (event) => `Open: ${asked(event)}`,
  closing: (event) => `Open: ${asked(event)}`,
  locking: (event) => `Open: ${asked(event)}`,
  closed: (event) =>
    event.pendingResult === null ? "Calls closed." : `Result: ${resultLabel(event)}. It pays in a moment.`,
  paused: () => "Paused by the host. Your calls are safe.",
  resolved: (event, { standing, table }) => {
    const corrected = table.corrected.includes(event.id) ? "Corrected: " : "";
    return `${corrected}${resultLabel(event)}. ${outcomeWords(standing)}`;
  },
  stopped: nothing,
};

function outcomeWords(standing: View["standing"]): string {
  const outcome = standing?.outcome;
  if (outcome === null || outcome === undefined) return "";
  if (outcome.kind === "refunded") return "Your wager is refunded.";
  if (outcome.kind === "even") return "You come out even.";
  return outcome.kind === "won"
    ? `You won ${formatMoney(outcome.netCents)}.`
    : `You lost ${formatMoney(-outcome.netCents)}.`;
}
