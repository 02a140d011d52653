import { useServerTime } from "../clock.ts";
import { formatMoney } from "../ui/money.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";

/** Seconds before the close that are said aloud. */
const SAID_AT_S = [30, 10, 5];

/** Says what a screen reader must not miss; what cannot wait is said at once. */
export function Announcer() {
  const view = useView();
  const { event, phase, data } = view;
  const closesAtMs = Date.parse(event?.closesAt ?? "");
  const said = useServerTime((nowMs) => {
    const left = Math.ceil((closesAtMs - nowMs) / 1_000);
    return SAID_AT_S.findLast((seconds) => left <= seconds && left > 0) ?? null;
  }, data.serverTime);
  const urgent = phase === "paused" || (phase === "resolved" && event?.voided === true);
  const words = wordsOf(view, said);
  return (
    <>
      <p className="heard" aria-live="polite">
        {urgent ? "" : words}
      </p>
      <p className="heard" aria-live="assertive">
        {urgent ? words : ""}
      </p>
    </>
  );
}

function wordsOf({ event, phase, standing }: View, secondsSaid: number | null): string {
  if (event === null) return "";
  if (phase === "open" || phase === "closing") {
    return secondsSaid === null ? `Open: ${event.title}` : `${secondsSaid} seconds left.`;
  }
  if (phase === "visible") return `Next: ${event.title} ${event.trueLabel} or ${event.falseLabel}.`;
  if (phase === "closed") return "Calls closed.";
  if (phase === "paused") return "Paused by the host. Your calls are safe.";
  return phase === "resolved" ? `${resultLabel(event)}. ${outcomeWords(standing)}` : "";
}

function outcomeWords(standing: View["standing"]): string {
  const outcome = standing?.outcome;
  if (outcome === null || outcome === undefined) return "";
  if (outcome.kind === "refunded") return "Your wager is refunded.";
  if (outcome.kind === "even") return "You come out even.";
  return outcome.kind === "won"
    ? `You won ${formatMoney(outcome.netCents)}.`
    : `You lost ${formatMoney(-outcome.netCents)}.`;
}
