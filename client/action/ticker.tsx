import { countOf, formatCount } from "../ui/count.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time.tsx";
import { feedText } from "./feed-text.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";

/** One line of what goes on; a refusal stands here until the next call. */
export function Ticker() {
  const view = useView();
  const zone = useTimeZone();
  const { icon, text } = lineOf(view, zone);
  return (
    <div className={view.placing.refusal === null ? "ticker" : "ticker refused"}>
      <Icon name={icon} />
      <span>{text}</span>
    </div>
  );
}

function lineOf(view: View, zone: string): { icon: IconName; text: string } {
  const { table, event, phase, offline, placing } = view;
  if (placing.refusal !== null) return { icon: "warning", text: placing.refusal };
  if (offline) {
    return {
      icon: "offline",
      text: `Last word from the server ${formatClock(table.heardAt, zone)}. Trying again.`,
    };
  }
  if (phase === "paused" && table.session.pausedAt !== null) {
    const at = formatClock(table.session.pausedAt, zone);
    return { icon: "pause", text: `Paused at ${at}. ${here(table.playersOnline)}` };
  }
  if (event === null || phase === "visible") return { icon: "info", text: here(table.playersOnline) };
  if (phase === "closed" && event.closedAt !== null) {
    return { icon: "lock", text: `Closed by the server at ${formatClock(event.closedAt, zone)}.` };
  }
  if (phase === "resolved") return { icon: "trophy", text: calledIt(event) };
  const last = table.feed.findLast((line) => line.eventId === event.id);
  if (last === undefined)
    return {
      icon: "bolt",
      text: `${formatCount(event.callsCount)} called so far. ${here(table.playersOnline)}`,
    };
  return {
    icon: "bolt",
    text: `${feedText(last, table.events)}. ${formatCount(event.callsCount)} called so far.`,
  };
}

function here(playersOnline: number): string {
  return `${countOf(Math.max(1, playersOnline), "player")} here.`;
}

function calledIt(event: NonNullable<View["event"]>): string {
  if (event.voided) return event.resultReason ?? "Everybody has the wager back.";
  const right = event.spots.find((spot) => spot.won === true);
  return `${resultLabel(event)}: ${right?.callsCount ?? 0} of ${formatCount(event.callsCount)} called it.`;
}
