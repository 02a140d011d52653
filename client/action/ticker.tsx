import { kept } from "../kept.ts";
import { countOf, formatCount } from "../ui/count.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { feedText } from "./feed-text.ts";
import { resultLabel } from "./result-label.ts";
import { useView, type View } from "./view.ts";

/** One line about the latest news; a refusal is shown until the next call. */
export function Ticker() {
  const view = useView();
  const zone = useTimeZone();
  const { icon, text } = newsOf(view, zone);
  return <News icon={icon} text={text} refused={view.placing.refusal !== null} />;
}

const News = kept(function News({ icon, text, refused }: { icon: IconName; text: string; refused: boolean }) {
  return (
    <div className={refused ? "ticker refused" : "ticker"}>
      <Icon name={icon} />
      <span>{text}</span>
    </div>
  );
});

function newsOf(view: View, zone: string): { icon: IconName; text: string } {
  const { state, event, phase, offline, refused, placing } = view;
  if (placing.refusal !== null) return { icon: "warning", text: placing.refusal };
  if (offline) {
    return {
      icon: "offline",
      text: `Last word from the server ${formatClock(state.asOf, zone)}.${refused ? "" : " Trying again."}`,
    };
  }
  if (phase === "paused" && state.session.pausedAt !== null) {
    const at = formatClock(state.session.pausedAt, zone);
    return { icon: "pause", text: `Paused at ${at}. ${presenceText(state.playersOnline)}` };
  }
  if (event === null || phase === "visible") return { icon: "info", text: presenceText(state.playersOnline) };
  if (phase === "closed" && event.closedAt !== null) {
    return { icon: "lock", text: `Closed by the server at ${formatClock(event.closedAt, zone)}.` };
  }
  if (phase === "resolved") return { icon: "trophy", text: resultNews(event) };
  const last = state.feed.findLast((entry) => entry.eventId === event.id);
  if (last === undefined)
    return {
      icon: "bolt",
      text: `${formatCount(event.callsCount)} called so far. ${presenceText(state.playersOnline)}`,
    };
  return {
    icon: "bolt",
    text: `${feedText(last, state.events)}. ${formatCount(event.callsCount)} called so far.`,
  };
}

function presenceText(playersOnline: number): string {
  return `${countOf(Math.max(1, playersOnline), "player")} here.`;
}

function resultNews(event: NonNullable<View["event"]>): string {
  if (event.voided) return event.resultReason ?? "Everybody has the wager back.";
  const right = event.spots.find((spot) => spot.won === true);
  return `${resultLabel(event)}: ${right?.callsCount ?? 0} of ${formatCount(event.callsCount)} called it.`;
}
