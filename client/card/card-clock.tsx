import { useView } from "#client/events/view.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { countdown, minutes } from "../base/format/countdown.ts";
import { ClockFace, EventClock, FrozenClock, IdleClock, StartClock } from "../ui/clock-face.tsx";

/** The clock for the current phase: counts down to the start, the opening, the close or the payment, or is stopped. */
export function CardClock() {
  const { event, phase, offline, state, data } = useView();
  if (event === null) {
    if (phase !== "pending") return <IdleClock />;
    return <StartClock startsAt={state.session.startsAt} renderedAt={data.serverTime} />;
  }
  if (phase === "closed" && event.pendingResult !== null) return <PayingClock event={event} />;
  if (phase === "closed" || phase === "waiting" || phase === "withdrawn")
    return <IdleClock locked={phase === "closed"} />;
  if (phase === "paused")
    return <StoppedClock at={state.session.pausedAt} unit="on hold" spoken="On hold at" />;
  if (offline) return <StoppedClock at={state.asOf} unit="last seen" spoken="Last seen at" />;
  const className = phase === "visible" || phase === "open" ? "" : "closing";
  return <EventClock event={event} className={className} renderedAt={data.serverTime} getReady />;
}

/** Counts down to the payment. In a pause it is stopped, and the API does not say how much time is left. */
function PayingClock({ event }: { event: EventView }) {
  const { data, state } = useView();
  if (event.paysAt === null || state.session.state === "paused") return <IdleClock locked />;
  const toMs = Date.parse(event.paysAt);
  return (
    <ClockFace
      fromMs={toMs - state.session.settings.settlementDelaySeconds * 1_000}
      toMs={toMs}
      unit="to pay"
      spoken="Pays in"
      className=""
      renderedAt={data.serverTime}
      inMinutes
    />
  );
}

/** A clock stopped at a moment: when the host paused, or when the connection was lost. */
function StoppedClock({ at, unit, spoken }: { at: string | null; unit: string; spoken: string }) {
  const { event } = useView();
  const opening = event?.state === "visible";
  const leftMs = Date.parse((opening ? event.opensAt : event?.closesAt) ?? "") - Date.parse(at ?? "");
  if (!Number.isFinite(leftMs)) return <IdleClock />;
  const digits = opening ? minutes(leftMs) : countdown(leftMs);
  return <FrozenClock digits={digits} unit={unit} spoken={spoken} />;
}
