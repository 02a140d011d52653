import type { EventView } from "#src/events/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { formatShortMoney } from "../ui/money.ts";
import { AboutEvent, Act, ActForm } from "./act-form.tsx";
import { KeyCap } from "./key-cap.tsx";
import { Reason } from "./reason.tsx";
import { useShow } from "./show-context.ts";
import { whyNotAct } from "./why-not.ts";

const delays = [
  { seconds: -10, label: "-10", hotkey: { hotkey: "-" } },
  { seconds: 10, label: "+10", hotkey: { hotkey: "Plus" } },
  { seconds: 30, label: "+30", hotkey: {} },
];

/** Controls of the running order: take the next step now, delay it, or skip the event. */
export function EventDeck({ event }: { event: EventView }) {
  const { session } = useShow();
  const whyNotDelay = whyNotAct(session, event, "delay");
  return (
    <section className="panel deck" aria-label="Running order">
      <Act
        intent="advance"
        event={event}
        why={whyNotAct(session, event, "advance")}
        className="btn primary"
        hotkey="Space"
      >
        {advanceLabels[event.state] ?? "Advance"} <KeyCap name="Space" />
      </Act>
      <div className="row" role="group" aria-label="Delay by seconds">
        <span className="small muted">Delay</span>
        {delays.map(({ seconds, label, hotkey }) => (
          <Act
            key={seconds}
            intent="delay"
            event={event}
            why={whyNotDelay}
            className="btn num"
            {...hotkey}
            fields={{ seconds: String(seconds) }}
          >
            {label}
            <span className="vh"> seconds</span>
          </Act>
        ))}
      </div>
      <Skip event={event} />
    </section>
  );
}

/** What "Advance" does, by state. */
const advanceLabels: Partial<Record<EventView["state"], string>> = {
  draft: "Advance: show it",
  visible: "Advance: open it",
  open: "Advance: close it",
  closed: "Advance: next action",
};

function Skip({ event }: { event: EventView }) {
  const { session } = useShow();
  const why = whyNotAct(session, event, "skip");
  const { callsCount, pool } = event;
  if (callsCount === 0) {
    return (
      <Act intent="skip" event={event} why={why} hotkey="S">
        Skip <KeyCap name="S" />
      </Act>
    );
  }
  return (
    <Confirm
      label={
        <>
          Skip <KeyCap name="S" />
        </>
      }
      why={why}
      hotkey="S"
      title="Skip this action?"
      form={ActForm}
      act={{ label: "Skip and refund", intent: "skip", className: "btn bad" }}
    >
      <AboutEvent event={event} />
      <p>
        {event.title} leaves the show. {countOf(callsCount, "call")} with {formatShortMoney(pool.totalCents)}{" "}
        will be refunded.
      </p>
      <Reason id={`skip-reason-${event.id}`} />
    </Confirm>
  );
}
