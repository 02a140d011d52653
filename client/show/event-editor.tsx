import { useRef } from "react";
import { eventLimits } from "#src/events/contract.ts";
import type { EventView } from "#src/events/schemas.ts";
import { kept } from "../kept.ts";
import { EventTimes } from "../ui/event-times.tsx";
import { Field } from "../ui/field.tsx";
import { Submit } from "../ui/submit.tsx";
import { toFieldTime } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { AboutEvent, ActForm } from "./act-form.tsx";
import { isAhead } from "./on-stage.ts";
import { useShow } from "./show-context.ts";
import { keyOf } from "./use-acting.ts";

/**
 * Edits an event's texts and times, as far as they may still change. When another user changes a field, that field is reset
 * (by its key); the others keep what was typed.
 */
export function EventEditor({ event }: { event: EventView }) {
  const { acting } = useShow();
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current !== null) details.current.open = false;
  };
  return (
    <details className="panel event-editor" ref={details}>
      <summary>Edit</summary>
      <dl className="about body">
        <EventTimes event={event} />
      </dl>
      <ActForm className="body stack" onDone={close}>
        <AboutEvent event={event} />
        <input type="hidden" name="version" value={event.version} />
        <TextFields
          title={event.title}
          description={event.description}
          trueLabel={event.trueLabel}
          falseLabel={event.falseLabel}
          isCalled={event.callsCount > 0}
        />
        <TimeFields event={event} />
        <Submit intent="update" busy={acting.busy.has(keyOf("update", event.id))}>
          Save
        </Submit>
      </ActForm>
    </details>
  );
}

type TextFieldsProps = Pick<EventView, "title" | "description" | "trueLabel" | "falseLabel"> & {
  /** The event has calls. */
  isCalled: boolean;
};

const TextFields = kept(function TextFields({ isCalled, ...event }: TextFieldsProps) {
  const { titleLengthMax, descriptionLengthMax, labelLengthMax } = eventLimits;
  const id = (name: string) => `edit-${name}`;
  return (
    <>
      <Field
        key={event.title}
        id={id("title")}
        label="Question"
        name="title"
        value={event.title}
        maxLength={titleLengthMax}
      />
      <Field
        key={`about ${event.description}`}
        id={id("description")}
        label="Description"
        name="description"
        type="textarea"
        optional
        value={event.description}
        maxLength={descriptionLengthMax}
      />
      {isCalled ? (
        <p className="small ink2">Somebody has called: the labels stand.</p>
      ) : (
        <div className="pair-tight">
          <Field
            key={`true-label ${event.trueLabel}`}
            id={id("true-label")}
            label="True Label"
            name="true_label"
            value={event.trueLabel}
            maxLength={labelLengthMax}
          />
          <Field
            key={`false-label ${event.falseLabel}`}
            id={id("false-label")}
            label="False Label"
            name="false_label"
            value={event.falseLabel}
            maxLength={labelLengthMax}
          />
        </div>
      )}
    </>
  );
});

function TimeFields({ event }: { event: EventView }) {
  const zone = useTimeZone();
  const { session } = useShow();
  const seconds = { type: "number", inputMode: "numeric", step: 1 } as const;
  const live = session.state === "running" || session.state === "paused";
  const opensAt = event.opensAt === null ? "" : toFieldTime(event.opensAt, zone);
  return (
    <div className="pair-tight">
      {isAhead(event) || event.state === "open" ? (
        <Field
          key={`duration ${event.durationSeconds}`}
          id="edit-duration"
          label="Duration, seconds"
          name="duration_seconds"
          {...seconds}
          min={eventLimits.durationSecondsMin}
          max={eventLimits.durationSecondsMax}
          value={String(event.durationSeconds)}
        />
      ) : null}
      {event.plan === null || event.state === "resolved" || event.state === "hidden" ? null : (
        <Field
          key={`result ${event.plan.resolveWithinSeconds}`}
          id="edit-resolve-within"
          label="Result within, seconds"
          name="resolve_within_seconds"
          {...seconds}
          min={0}
          max={eventLimits.resolveWithinSecondsMax}
          value={String(event.plan.resolveWithinSeconds)}
        />
      )}
      {live && isAhead(event) ? (
        <>
          <input type="hidden" name="time_zone" value={zone} />
          <input type="hidden" name="opens_at_before" value={opensAt} />
          <Field
            key={`${zone} ${opensAt}`}
            id="edit-opens-at"
            label="Opens at"
            name="opens_at"
            type="datetime-local"
            step={1}
            optional
            value={opensAt}
            hint={`In ${zone}.`}
          />
        </>
      ) : null}
    </div>
  );
}
