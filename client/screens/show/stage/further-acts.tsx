import * as texts from "#client/running-order/show-texts.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { eventTransitions } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { AboutEvent, Act, ActForm } from "../act-form.tsx";
import { disabledReasonForMove } from "../disabled-reason.ts";
import { useShow } from "../show-context.ts";
import { Reason } from "../verdict/reason.tsx";

/** State changes of an event outside the running order. */
export function FurtherActs({ event }: { event: EventView }) {
  const { session } = useShow();
  const reasonFor = (name: Parameters<typeof disabledReasonForMove>[2]) =>
    disabledReasonForMove(session, event, name);
  return (
    <section className="panel further" aria-label={texts.byHand}>
      <span className="small muted">{texts.byHand}</span>
      <Act
        intent="publish_event"
        event={event}
        disabledReason={reasonFor("publish_event")}
        className="btn sm"
      >
        {eventTransitions.publish_event.label}
      </Act>
      <Act intent="open_event" event={event} disabledReason={reasonFor("open_event")} className="btn sm">
        {eventTransitions.open_event.label}
      </Act>
      <Act intent="close_event" event={event} disabledReason={reasonFor("close_event")} className="btn sm">
        {eventTransitions.close_event.label}
      </Act>
      {event.state === "hidden" ? (
        <Act intent="show" event={event} disabledReason={reasonFor("show")} className="btn sm">
          {eventTransitions.show.label}
        </Act>
      ) : (
        <Act intent="hide" event={event} disabledReason={reasonFor("hide")} className="btn sm">
          {eventTransitions.hide.label}
        </Act>
      )}
      <Reset event={event} />
      <Confirm
        label={texts.deleteButton}
        className="btn sm"
        disabledReason={reasonFor("destroy")}
        title={texts.deleteTitle}
        form={ActForm}
        act={{ label: texts.deleteButton, intent: "destroy", className: "btn bad" }}
      >
        <AboutEvent event={event} />
        <p>{texts.deleteWarning(event.title)}</p>
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
      label={eventTransitions.reset.label}
      className="btn sm"
      disabledReason={disabledReasonForMove(session, event, "reset")}
      title={texts.resetTitle}
      form={ActForm}
      act={{
        label: movesMoney ? texts.resetAndRefund : eventTransitions.reset.label,
        intent: "reset",
        className: "btn bad",
      }}
    >
      <AboutEvent event={event} />
      <input type="hidden" name="version" value={event.version} />
      <p>{texts.resetWarning(event.title)}</p>
      {movesMoney ? (
        <>
          <p>{texts.resetRefunds(callsCount, pool.totalCents)}</p>
          <Reason id={`reset-reason-${event.id}`} required />
        </>
      ) : null}
    </Confirm>
  );
}
