import type { spots } from "#db/schema/events.ts";
import { winnerOf } from "#src/play/spots/contract.ts";
import { differ } from "./differ.ts";
import { type EventSnapshot, nameOf, type Show } from "./show.ts";

type Named = Pick<Show, "eventIds">;

/** The timed transition of an event, by its state. */
const nextTransitionFrom: Record<string, string> = {
  draft: "publish_event",
  visible: "open_event",
  open: "close_event",
  closed: "resolve",
};

/** Where an event's next transition does not fit its state, its session and its planned moments. */
export function checkSchedule(show: Named, { event, session }: EventSnapshot): string[] {
  const name = nameOf(show, event.id);
  const { state, nextTransition, dueAt, remainingMs } = event;
  const isPlanned = nextTransition !== null;
  const isPaused = session.state === "paused";
  const waits = isWaiting(event);
  const isLive = session.state === "running" || isPaused;
  return [
    // In a paused session a planned transition has remaining time; otherwise it has a due moment. One that waits has neither.
    ...differ(
      `the time of ${name}, which is ${state}`,
      { due: dueAt !== null, remains: remainingMs !== null },
      { due: isPlanned && !waits && !isPaused, remains: isPlanned && !waits && isPaused },
    ),
    ...(isPlanned ? differ(`the next of ${name}`, nextTransition, nextTransitionFrom[state]) : []),
    ...(state === "open" ? differ(`the next of ${name}`, nextTransition, "close_event") : []),
    ...(state === "open" ? differ(`${name} is open, its session live`, isLive, true) : []),
    ...(event.pendingResult === null
      ? []
      : differ(`${name} has a pending result`, [state, nextTransition], ["closed", "resolve"])),
    ...(event.result === null
      ? []
      : differ(
          `${name} is ${state} with a result`,
          ["resolved", "hidden", "soft_destroyed"].includes(state),
          true,
        )),
    ...checkMoments(name, event),
  ];
}

/** Opening and closing are due exactly at the moments by which calls are judged. */
function checkMoments(
  name: string,
  { nextTransition, dueAt, opensAt, closesAt }: EventSnapshot["event"],
): string[] {
  if (dueAt === null) return [];
  if (nextTransition === "open_event") return differ(`the opening of ${name} is due`, dueAt, opensAt);
  if (nextTransition === "close_event") return differ(`the close of ${name} is due`, dueAt, closesAt);
  return [];
}

const isWaiting = ({ state, nextTransition, opensAt }: EventSnapshot["event"]) =>
  (state === "draft" || state === "visible") && nextTransition !== null && opensAt === null;

/** The events without a time that wait for something that has happened already. */
export function checkWaiting(show: Named, snapshots: readonly EventSnapshot[]): string[] {
  return [...Map.groupBy(snapshots, ({ session }) => session.id).values()].flatMap((ofSession) => {
    const order = ofSession
      .map(({ event }) => event)
      .filter(({ state }) => state !== "hidden" && state !== "soft_destroyed")
      .toSorted((one, other) => one.position - other.position || one.id - other.id);
    return order.flatMap((event, index) =>
      isWaiting(event) && !hasReason(event, order[index - 1])
        ? [`${nameOf(show, event.id)} waits for something that has happened`]
        : [],
    );
  });
}

/** Whether an event that waits still has something to wait for. */
function hasReason(event: EventSnapshot["event"], before: EventSnapshot["event"] | undefined): boolean {
  const hasResult = before === undefined || before.state === "resolved";
  const hasTimes = before?.nextTransition !== null && before?.opensAt !== null;
  const isOver = hasResult || before.state === "closed";
  return (event.startMode === "after_result" && !hasResult) || !(isOver || hasTimes);
}

/** The spots whose state, or whose win, is not that of their event. */
export function checkSpots(
  show: Named,
  { event }: EventSnapshot,
  both: readonly (typeof spots.$inferSelect)[],
): string[] {
  const { state, result } = event;
  return both.flatMap((spot) => {
    const expected = state === "open" || state === "soft_destroyed" ? state : "closed";
    const winner = result === null ? null : winnerOf[result];
    const won = winner === null ? null : winner === spot.side;
    return differ(
      `the ${spot.side} side of ${nameOf(show, event.id)}, which is ${state}`,
      { spot: spot.state, won: spot.won },
      { spot: expected, won },
    );
  });
}
