import { startWords } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { Act } from "../act-form.tsx";
import { ArmButton } from "../arming/arm-button.tsx";
import { disabledReasonForAct, disabledReasonForMove } from "../disabled-reason.ts";
import { type Show, useShow } from "../show-context.ts";
import { KeyCap } from "./key-cap.tsx";
import { isAhead, numberOf } from "./on-stage.ts";

const delays = [
  { seconds: -10, label: "-10", hotkey: { hotkey: "-" } },
  { seconds: 10, label: "+10", hotkey: { hotkey: "Plus" } },
  { seconds: 30, label: "+30", hotkey: {} },
];

/**
 * Controls of the running order: take the next step now, close, delay or skip. Each says the number of the event that it acts on:
 * the one on the stage. What ends something is refused if the event has changed since it was shown.
 */
export function EventDeck({ event }: { event: EventView }) {
  const { session, events } = useShow();
  const number = numberOf(events, event);
  const shown = { version: String(event.version) };
  return (
    <section className="panel deck" aria-label={texts.runningOrder}>
      <Act
        intent="advance"
        event={event}
        disabledReason={disabledReasonForAct(session, event, "advance")}
        className="btn primary"
        hotkey="Space"
        fields={shown}
      >
        <AdvanceLabel event={event} /> <KeyCap name={texts.space} />
      </Act>
      <Act
        intent="close_event"
        event={event}
        disabledReason={disabledReasonForMove(session, event, "close_event")}
        hotkey="C"
        fields={shown}
      >
        <span>{texts.close(number)}</span> <KeyCap name="C" />
      </Act>
      <Delays event={event} number={number} />
      <ArmButton event={event} act="skip" className="btn" hotkey="S">
        <span>{texts.skip(number)}</span> <KeyCap name="S" />
      </ArmButton>
    </section>
  );
}

/** "Advance: close 9" */
function AdvanceLabel({ event }: { event: EventView }) {
  return <span>{advanceText(useShow(), event)}</span>;
}

function advanceText(show: Show, event: EventView): string {
  const { events } = show;
  const number = numberOf(events, event);
  if (event.state === "draft" && startWords(show, event) !== null) return texts.advanceStart(number);
  if (event.state !== "closed") return (advanceLabels[event.state] ?? texts.advance)(number);
  const next = events.slice(number).find(isAhead);
  return next === undefined ? texts.advanceNext : texts.advanceStart(numberOf(events, next));
}

/** What "Advance" does, by state. */
const advanceLabels: Partial<Record<EventView["state"], (number: number) => string>> = {
  draft: texts.advanceShow,
  visible: texts.advanceOpen,
  open: texts.advanceClose,
};

function Delays({ event, number }: { event: EventView; number: number }) {
  const { session } = useShow();
  const disabledReason = disabledReasonForAct(session, event, "delay");
  return (
    <div className="row" role="group" aria-label={texts.delayBySeconds(number)}>
      <span className="small muted">{texts.delay(number)}</span>
      {delays.map(({ seconds, label, hotkey }) => (
        <Act
          key={seconds}
          intent="delay"
          event={event}
          disabledReason={disabledReason}
          className="btn num"
          {...hotkey}
          fields={{ seconds: String(seconds) }}
        >
          <span>{label}</span>
          <span className="vh"> {texts.seconds}</span>
        </Act>
      ))}
    </div>
  );
}
