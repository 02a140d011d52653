import { useRef, useState } from "react";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { eventFieldProps } from "#client/blueprints/event-field-props.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { charactersAtMost } from "#client/ui/characters-at-most.ts";
import { Field } from "#client/ui/field.tsx";
import { MomentField } from "#client/ui/moment-field.tsx";
import { offeredDurations } from "#src/show/blueprints/contract.ts";
import { eventLimits, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { ActForm, ActSubmit } from "./running/act-form.tsx";
import { disabledReasonForAsking } from "./running/disabled-reason.ts";
import { useShow } from "./running/show-context.ts";

const DURATION_DEFAULT = 30;

/**
 * A new event during the show: opened at once, or added to the end of the running order. Before the show it is folded, so that the
 * whole running order is seen.
 */
export function Composer() {
  const { session, events } = useShow();
  const isPlanning = session.state === "pending";
  const [isOpen, setIsOpen] = useState(!isPlanning || events.length === 0);
  const [wasPlanning, setWasPlanning] = useState(isPlanning);
  if (wasPlanning !== isPlanning) {
    setWasPlanning(isPlanning);
    setIsOpen(true);
  }
  return (
    <section className="panel" aria-labelledby="new-action">
      <details
        className="composer"
        open={isOpen}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>
          <h2 id="new-action">New Action</h2>
          <span className="push tiny muted">{disabledReasonForAsking(session) ?? "goes live at once"}</span>
        </summary>
        <NewAction />
      </details>
    </section>
  );
}

function NewAction() {
  const { session, events } = useShow();
  const title = useRef<HTMLInputElement>(null);
  const over = session.state === "stopped" ? "The session is over." : null;
  const disabledReason = disabledReasonForAsking(session);
  return (
    <ActForm
      className="stack"
      onDone={(form) => {
        form.reset();
        title.current?.focus();
      }}
    >
      <input type="hidden" name="session_id" value={session.id} />
      <input
        className="input sm"
        name="title"
        aria-label={words.question}
        placeholder={words.question}
        autoComplete="off"
        required
        {...charactersAtMost(eventLimits.titleLengthMax)}
        ref={title}
      />
      <Details />
      <Start isFirst={events.length === 0} />
      <div className="row">
        <ActSubmit intent="ask" disabledReason={disabledReason}>
          Ask
        </ActSubmit>
        <ActSubmit intent="add" disabledReason={over} className="btn">
          Add to the end
        </ActSubmit>
      </div>
    </ActForm>
  );
}

function Details() {
  return (
    <>
      <div className="pair-tight">
        <LabelInput name="true_label" label={words.trueLabel} />
        <LabelInput name="false_label" label={words.falseLabel} />
      </div>
      <Durations />
      <ByDate />
      <Aside />
    </>
  );
}

/** For what is open for days, while the session runs. */
function ByDate() {
  const { session } = useShow();
  const zone = useTimeZone();
  if (session.state !== "running" && session.state !== "paused") return null;
  const moment = { zone, optional: true as const, value: "", hint: `In ${zone}.` };
  return (
    <details className="fold">
      <summary className="small">By date, up to 30 days</summary>
      <div className="stack">
        <input type="hidden" name="time_zone" value={zone} />
        <MomentField {...moment} id="new-opens-at" label="Opens at" name="opens_at" />
        <MomentField {...moment} id="new-closes-at" label="Closes at" name="closes_at" />
      </div>
    </details>
  );
}

/** What is seen by few, or later. */
function Aside() {
  return (
    <details className="fold">
      <summary className="small">Explanation, note</summary>
      <div className="stack">
        <Field {...eventFieldProps.explanation} id="new-explanation" name="explanation" />
        <Field {...eventFieldProps.hostNote} id="new-host-note" name="host_note" />
      </div>
    </details>
  );
}

/** When an action opens that is added to the end. The first one opens with the start. */
function Start({ isFirst }: { isFirst: boolean }) {
  const wait = isFirst ? 0 : WAIT_DEFAULT_SECONDS;
  return (
    <>
      <input type="hidden" name="offset_seconds" value={wait} />
      <select className="input sm" name="start_mode" aria-label={words.opens}>
        {isFirst ? null : <option value="after_result">{`Opens ${wait} s after the result before`}</option>}
        <option value="after_previous">
          {isFirst ? "Opens with the start" : `Opens ${wait} s after the one before`}
        </option>
        <option value="by_hand">Opens when I start it</option>
      </select>
    </>
  );
}

function LabelInput({ name, label }: { name: string; label: string }) {
  return (
    <input
      className="input sm"
      name={name}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      {...charactersAtMost(eventLimits.labelLengthMax)}
    />
  );
}

function Durations() {
  return (
    <fieldset className="seg wide">
      <legend className="vh">{moreTexts.durationSeconds}</legend>
      {offeredDurations.map((seconds) => (
        <label key={seconds}>
          <input
            type="radio"
            name="duration_seconds"
            value={seconds}
            defaultChecked={seconds === DURATION_DEFAULT}
          />
          <span>{seconds}</span>
          <span className="vh"> seconds</span>
        </label>
      ))}
    </fieldset>
  );
}
