import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { ClockFace, FrozenClock, IdleClock } from "#client/ui/clock-face.tsx";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import { awaitsResult } from "./on-stage.ts";

const SECOND_MS = 1_000;

type Timed = NonNullable<EventPlan["nextTransition"]>;
const units: Record<Timed, { unit: string; spoken: string }> = {
  publish_event: { unit: texts.toShow, spoken: texts.shownIn },
  open_event: { unit: texts.toOpen, spoken: texts.opensIn },
  close_event: { unit: texts.toClose, spoken: texts.closesIn },
  resolve: { unit: texts.toResult, spoken: texts.resolvesIn },
};

/** A pending result is paid by its timed transition. */
const paying = { unit: texts.toPay, spoken: texts.paysIn };

/** The time until an event's next planned transition, or since its close. It is stopped while the session is paused. */
export function AirClock({ event }: { event: EventView }) {
  const { session } = useShow();
  const { plan } = event;
  if (plan?.nextTransition != null && !awaitsResult(event, session)) {
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
  return <FrozenClock className="idle" digits={digits} unit={texts.sinceClose} spoken={texts.closedFor} />;
}
