import type { EventView } from "#src/events/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { formatShortMoney } from "../ui/money.ts";
import { AboutEvent, Act, ActForm } from "./act-form.tsx";
import { KeyCap } from "./key-cap.tsx";
import { Reason } from "./reason.tsx";
import { useShow } from "./show-context.ts";
import { whyNotMove } from "./why-not.ts";

/** State changes of an event outside the running order. */
export function FurtherActs({ event }: { event: EventView }) {
  const { session } = useShow();
  const why = (name: Parameters<typeof whyNotMove>[2]) => whyNotMove(session, event, name);
  return (
    <section className="panel further" aria-label="By hand">
      <span className="small muted">By hand</span>
      <Act intent="publish_event" event={event} why={why("publish_event")} className="btn sm">
        Publish
      </Act>
      <Act intent="open_event" event={event} why={why("open_event")} className="btn sm">
        Open
      </Act>
      <Act intent="close_event" event={event} why={why("close_event")} className="btn sm" hotkey="C">
        Close <KeyCap name="C" />
      </Act>
      {event.state === "hidden" ? (
        <Act intent="show" event={event} why={why("show")} className="btn sm">
          Show
        </Act>
      ) : (
        <Act intent="hide" event={event} why={why("hide")} className="btn sm">
          Hide
        </Act>
      )}
      <Reset event={event} />
      <Confirm
        label="Delete"
        className="btn sm"
        why={why("destroy")}
        title="Delete this action?"
        form={ActForm}
        act={{ label: "Delete", intent: "destroy", className: "btn bad" }}
      >
        <AboutEvent event={event} />
        <p>{event.title} goes out of the session. There is no way back.</p>
      </Confirm>
    </section>
  );
}

function Reset({ event }: { event: EventView }) {
  const { session } = useShow();
  const { callsCount, voided, pool } = event;
  const movesMoney = callsCount > 0 && !voided;
  return (
    <Confirm
      label="Reset"
      className="btn sm"
      why={whyNotMove(session, event, "reset")}
      title="Reset this action?"
      form={ActForm}
      act={{ label: movesMoney ? "Reset and refund" : "Reset", intent: "reset", className: "btn bad" }}
    >
      <AboutEvent event={event} />
      <p>{event.title} becomes a draft again, without a plan. A new round of calls begins when it opens.</p>
      {movesMoney ? (
        <>
          <p>
            {countOf(callsCount, "call")} with {formatShortMoney(pool.totalCents)} will be refunded, and what
            was paid is taken back.
          </p>
          <Reason id={`reset-reason-${event.id}`} required />
        </>
      ) : null}
    </Confirm>
  );
}
