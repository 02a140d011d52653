import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as texts from "#client/events/action-texts.ts";
import { useNextText } from "#client/events/next-text.ts";
import { usePlayersHere } from "#client/events/players-here.ts";
import { refundCause, resultLabel } from "#client/events/result-label.ts";
import { useView, type View } from "#client/events/view.ts";
import { rankNews } from "#client/leaderboard/rank-texts.ts";
import { useAnnounced } from "#client/results/announced.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { feedText } from "./feed-text.ts";

/** One line about the latest news; a refusal is shown until the next call. */
export function Ticker() {
  const view = useView();
  const zone = useTimeZone();
  const { line } = useAnnounced();
  const playersHere = usePlayersHere(view.state.playersOnline);
  const next = useNextText();
  const { icon, text } = newsOf(view, { zone, announced: line, next, presence: presenceText(playersHere) });
  const refused = view.placing.refusal !== null || view.closeWarning !== "";
  return (
    <div className={refused ? "ticker refused" : "ticker"}>
      <Icon name={icon} />
      <span>{text}</span>
    </div>
  );
}

type NewsLine = { icon: IconName; text: string };

/** @param announced the last result, which the result bar announces or has announced. */
function newsOf(
  view: View,
  {
    zone,
    announced,
    next,
    presence,
  }: { zone: string; announced: string | null; next: string | null; presence: string },
): NewsLine {
  const { state, event, phase } = view;
  const trouble = troubleOf(view, zone);
  if (trouble !== null) return trouble;
  if (announced !== null) return { icon: "trophy", text: announced + rankNews(state.me) };
  if (phase === "paused" && state.session.pausedAt !== null) {
    const at = formatClock(state.session.pausedAt, zone);
    return { icon: "pause", text: texts.pausedAt(at, presence) };
  }
  if (event === null || phase === "visible") return { icon: "info", text: presence };
  if (phase === "closed" && event.closedAt !== null) {
    const closed = texts.closedAt(formatClock(event.closedAt, zone));
    return { icon: "lock", text: next === null ? closed : `${next}. ${closed}` };
  }
  if (phase === "resolved") return { icon: "trophy", text: resultNews(event) + rankNews(state.me) };
  return { icon: "bolt", text: callsNews(event, state, presence) };
}

/** What comes before all news: a refusal, a lost connection, and calls that come too late. */
function troubleOf({ placing, offline, refused, state, closeWarning }: View, zone: string): NewsLine | null {
  if (placing.refusal !== null) return { icon: "warning", text: placing.refusal };
  if (offline) {
    return {
      icon: "offline",
      text: refused
        ? texts.lastWordAt(formatClock(state.asOf, zone))
        : texts.lastWordTryingAgain(formatClock(state.asOf, zone)),
    };
  }
  return closeWarning === "" ? null : { icon: "warning", text: closeWarning };
}

/** The newest call of another player, and how many there are. */
function callsNews(event: NonNullable<View["event"]>, state: View["state"], presence: string): string {
  const calls = texts.callsSoFar(event.callsCount);
  const last = state.feed.findLast((entry) => entry.eventId === event.id);
  return last === undefined ? `${calls} ${presence}` : `${feedText(last)}. ${calls}`;
}

function presenceText(playersHere: number): string {
  return playersHere === 0 ? texts.noPlayersYet : texts.playersHere(playersHere);
}

function resultNews(event: NonNullable<View["event"]>): string {
  if (event.voided) return event.resultReason ?? texts.wagersReturned;
  const right = event.spots.find((spot) => spot.won === true);
  const cause = event.callsCount === 0 ? null : refundCause(event);
  if (cause !== null) return texts.wagersBack(resultLabel(event), cause);
  return texts.calledItCount(resultLabel(event), right?.callsCount ?? 0, event.callsCount);
}
