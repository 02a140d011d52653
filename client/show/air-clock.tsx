import type { EventPlan, EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { ClockFace, FrozenClock, IdleClock } from "../ui/clock-face.tsx";
import { minutes } from "../ui/countdown.ts";
import { awaitsResult } from "./on-stage.ts";
import { useShow } from "./show-context.ts";

const SECOND_MS = 1_000;

type Timed = NonNullable<EventPlan["nextTransition"]>;
const units: Record<Timed, { unit: string; spoken: string }> = {
  publish_event: { unit: "to show", spoken: "Shown in" },
  open_event: { unit: "to open", spoken: "Opens in" },
  close_event: { unit: "to close", spoken: "Closes in" },
  resolve: { unit: "to result", spoken: "Resolves in" },
};

/** A pending result is paid by its timed transition. */
const paying = { unit: "to pay", spoken: "Pays in" };

/** The time until an event's next planned transition, or since its close. It is stopped while the session is paused. */
export function AirClock({ event }: { event: EventView }) {
  const { plan } = event;
  if (plan?.nextTransition != null && !awaitsResult(event)) {
    const labels = event.pendingResult === null ? units[plan.nextTransition] : paying;
    if (plan.dueAt !== null) return <DueClock event={event} dueAt={plan.dueAt} labels={labels} />;
    if (plan.remainingMs !== null) return <FrozenClock digits={minutes(plan.remainingMs)} {...labels} />;
  }
  return event.state === "closed" && event.closedAt !== null ? (
    <SinceClock at={event.closedAt} />
  ) : (
    <IdleClock />
  );
}

type DueClockProps = { event: EventView; dueAt: string; labels: typeof paying };

function DueClock({ event, dueAt, labels }: DueClockProps) {
  const { renderedAt } = useShow();
  const toMs = Date.parse(dueAt);
  const open = event.state === "open";
  const fromMs = open ? toMs - event.durationSeconds * SECOND_MS : toMs;
  return (
    <ClockFace
      fromMs={fromMs}
      toMs={toMs}
      {...labels}
      className={open ? "" : "idle"}
      renderedAt={renderedAt}
      inMinutes={!open}
    />
  );
}

function SinceClock({ at }: { at: string }) {
  const { renderedAt } = useShow();
  const digits = useServerTime((nowMs) => minutes(nowMs - Date.parse(at)), renderedAt);
  return <FrozenClock className="idle" digits={digits} unit="since close" spoken="Closed for" />;
}
