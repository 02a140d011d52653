import { useRef } from "react";
import { offeredDurations } from "#src/blueprints/contract.ts";
import { eventLimits } from "#src/events/contract.ts";
import { kept } from "../kept.ts";
import { Submit } from "../ui/submit.tsx";
import { ActForm } from "./act-form.tsx";
import { useShow } from "./show-context.ts";
import { keyOf } from "./use-acting.ts";
import { whyNotAsk } from "./why-not.ts";

const DURATION_DEFAULT = 30;

/** A new event during the show: opened at once, or added to the end of the running order. */
export function Composer() {
  const { session, acting } = useShow();
  const title = useRef<HTMLInputElement>(null);
  const over = session.state === "stopped" ? "The session is over." : null;
  const why = whyNotAsk(session);
  return (
    <section className="panel pad" aria-labelledby="new-action">
      <ActForm
        className="stack composer"
        onDone={(form) => {
          form.reset();
          title.current?.focus();
        }}
      >
        <div className="row">
          <h2 id="new-action">New Action</h2>
          <span className="push tiny muted">{why === null ? "goes live at once" : why}</span>
        </div>
        <input type="hidden" name="session_id" value={session.id} />
        <input
          className="input sm"
          name="title"
          aria-label="Question"
          placeholder="Question"
          autoComplete="off"
          required
          maxLength={eventLimits.titleLengthMax}
          ref={title}
        />
        <Details />
        <div className="row">
          <Submit intent="ask" why={why} className="btn primary" busy={acting.busy.has(keyOf("ask", ""))}>
            Ask
          </Submit>
          <Submit intent="add" why={over} className="btn" busy={acting.busy.has(keyOf("add", ""))}>
            Add to the end
          </Submit>
        </div>
      </ActForm>
    </section>
  );
}

const Details = kept(function Details() {
  return (
    <>
      <div className="pair-tight">
        <LabelInput name="true_label" label="True Label" />
        <LabelInput name="false_label" label="False Label" />
      </div>
      <Durations />
    </>
  );
});

function LabelInput({ name, label }: { name: string; label: string }) {
  return (
    <input
      className="input sm"
      name={name}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      maxLength={eventLimits.labelLengthMax}
    />
  );
}

function Durations() {
  return (
    <fieldset className="seg wide">
      <legend className="vh">Duration, seconds</legend>
      {offeredDurations.map((seconds) => (
        <label key={seconds}>
          <input
            type="radio"
            name="duration_seconds"
            value={seconds}
            defaultChecked={seconds === DURATION_DEFAULT}
          />
          {seconds}
          <span className="vh"> seconds</span>
        </label>
      ))}
    </fieldset>
  );
}
