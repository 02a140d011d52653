import { Link, useSearchParams } from "react-router";
import { durationText } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { choicesAt } from "#client/events/current-event.ts";
import { useView } from "#client/events/view.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** The name of the chosen question's id in the address. */
const CHOSEN = "question";
const MINUTE_MS = 60_000;

/** The id of the question that the player has chosen; null for none. */
export function useChosenId(): number | null {
  const [search] = useSearchParams();
  const id = Number(search.get(CHOSEN));
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** The questions that are open for days, where there are several: one of them is on the card. */
export function OpenForDays() {
  const { state, data, event } = useView();
  const ids = useServerTime(
    (nowMs) =>
      choicesAt(state, nowMs)
        .map(({ id }) => id)
        .join(" "),
    data.serverTime,
  );
  const choices = ids.split(" ").flatMap((id) => state.events.find((each) => String(each.id) === id) ?? []);
  if (choices.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Open questions">
      {choices.map((choice) => (
        <Choice key={choice.id} choice={choice} isCurrent={choice.id === event?.id} />
      ))}
    </nav>
  );
}

function Choice({ choice, isCurrent }: { choice: EventView; isCurrent: boolean }) {
  const { data } = useView();
  const closesIn = useServerTime(
    (nowMs) => leftText(Date.parse(choice.closesAt ?? "") - nowMs),
    data.serverTime,
  );
  const isCalled = choice.myCalls.length > 0;
  return (
    <Link
      to={`?${CHOSEN}=${choice.id}`}
      replace
      preventScrollReset
      aria-current={isCurrent ? "true" : undefined}
    >
      <bdi className="clip">{choice.title}</bdi>
      <span className="tiny num">{isCalled ? `Called, ${closesIn}` : closesIn}</span>
    </Link>
  );
}

/** "2 d 4 h", "3 h 20 min", in whole minutes. */
function leftText(leftMs: number): string {
  const minutes = Math.max(1, Math.ceil(leftMs / MINUTE_MS));
  return minutes <= 2 ? `${minutes} min` : durationText(minutes * 60);
}
