import { type ComponentProps, useRef, useState } from "react";
import { useActionData } from "react-router";
import { toFieldTime } from "#client/base/format/field-time.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { isStartMode } from "#client/blueprints/event-fields.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { PictureFields } from "#client/blueprints/picture-fields.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { EventTimes } from "#client/ui/event-times.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { MomentField } from "#client/ui/moment-field.tsx";
import { startHint } from "#client/ui/start-texts.ts";
import { Submit } from "#client/ui/submit.tsx";
import { startModes } from "#db/lists/events.ts";
import { questionLimits } from "#db/lists/questions.ts";
import { eventLimits, startModeLabel } from "#src/show/events/contract.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { AboutEvent, ActForm } from "../act-form.tsx";
import { disabledReasonForRetiming } from "../disabled-reason.ts";
import { useShow } from "../show-context.ts";
import { keyOf } from "../use-acting.ts";
import { isAhead } from "./on-stage.ts";

/**
 * Edits an event's texts and times, as far as they may still change. When another user changes a field, that field is reset
 * (by its key); the others keep what was typed.
 */
export function EventEditor({ event }: { event: EventView }) {
  const { acting, session } = useShow();
  // With a call on it nothing is left to edit: its texts stand, and the times are for another host.
  const stake = disabledReasonForRetiming(session, event);
  const refused = useActionData<Refused>()?.errors ?? {};
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const close = () => {
    if (details.current !== null) details.current.open = false;
    // What had the focus is folded away.
    summary.current?.focus();
  };
  return (
    <details
      className="panel event-editor"
      ref={details}
      open={"picture" in refused || "pictureAlt" in refused}
    >
      <summary ref={summary}>{words.edit}</summary>
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
        <MoreFields plan={event.plan} />
        {isPlanned(event) && session.state !== "stopped" ? (
          <StartFields key={startKeyOf(event.plan)} plan={event.plan} />
        ) : null}
        {stake === null ? <TimeFields event={event} /> : null}
        <Submit intent="update" disabledReason={stake} busy={acting.busy.has(keyOf("update", event.id))}>
          {words.save}
        </Submit>
      </ActForm>
      <PictureForm event={event} errors={refused} />
    </details>
  );
}

/** The whole page is sent, because a file goes with it: so it works without JavaScript too. */
function PictureForm({ event, errors }: { event: EventView; errors: FieldErrors }) {
  const { session } = useShow();
  return (
    <form className="body stack" method="post" encType="multipart/form-data">
      <CsrfField />
      <AboutEvent event={event} />
      <input type="hidden" name="version" value={event.version} />
      <PictureFields
        key={event.picture?.key}
        picture={event.picture ?? null}
        typed={undefined}
        errors={errors}
      />
      <Submit intent="picture" className="btn" disabledReason={disabledReasonForRetiming(session, event)}>
        Save the picture
      </Submit>
    </form>
  );
}

/** They can be corrected at any time. */
function MoreFields({ plan }: { plan: EventPlan | null }) {
  const { explanation = "", hostNote = "" } = plan ?? {};
  return (
    <>
      <Field
        key={`explanation ${explanation}`}
        id="edit-explanation"
        label={moreTexts.explanation}
        name="explanation"
        type="textarea"
        optional
        hint={moreTexts.explanationHint}
        value={explanation}
        maxLength={questionLimits.explanationLengthMax}
      />
      <Field
        key={`note ${hostNote}`}
        id="edit-host-note"
        label={moreTexts.hostNote}
        name="host_note"
        type="textarea"
        optional
        hint={moreTexts.hostNoteHint}
        value={hostNote}
        maxLength={questionLimits.hostNoteLengthMax}
      />
    </>
  );
}

type TextFieldsProps = Pick<EventView, "title" | "description" | "trueLabel" | "falseLabel"> & {
  /** The event has calls. */
  isCalled: boolean;
};

function TextFields({ isCalled, ...event }: TextFieldsProps) {
  const { titleLengthMax, descriptionLengthMax, labelLengthMax } = eventLimits;
  const id = (name: string) => `edit-${name}`;
  if (isCalled) return <p className="small ink2">Somebody has called: the question and its labels stand.</p>;
  return (
    <>
      <Field
        key={event.title}
        id={id("title")}
        label={words.question}
        name="title"
        value={event.title}
        maxLength={titleLengthMax}
      />
      <Field
        key={`about ${event.description}`}
        id={id("description")}
        label={words.description}
        name="description"
        type="textarea"
        optional
        value={event.description}
        maxLength={descriptionLengthMax}
      />
      <div className="pair-tight">
        <Field
          key={`true-label ${event.trueLabel}`}
          id={id("true-label")}
          label={words.trueLabel}
          name="true_label"
          value={event.trueLabel}
          maxLength={labelLengthMax}
        />
        <Field
          key={`false-label ${event.falseLabel}`}
          id={id("false-label")}
          label={words.falseLabel}
          name="false_label"
          value={event.falseLabel}
          maxLength={labelLengthMax}
        />
      </div>
    </>
  );
}

/** Another user's change of these resets the fields. */
const startKeyOf = ({ startMode, offsetSeconds }: EventPlan) => `start ${startMode} ${offsetSeconds}`;

/** True for a draft: once players see an event, its start is settled. */
function isPlanned(event: EventView): event is EventView & { plan: EventPlan } {
  return event.state === "draft" && event.plan !== null;
}

/**
 * How a draft starts, and after which wait. A session that runs offers no new offset from its start, because "Opens at" says the
 * same.
 */
function StartFields({ plan }: { plan: EventPlan }) {
  const { session } = useShow();
  const isPending = session.state === "pending";
  const isOutsidePlan = !isPending && plan.nextTransition === null && plan.startMode !== "offset";
  const before = isOutsidePlan ? "by_hand" : plan.startMode;
  const [mode, setMode] = useState<string>(before);
  const offered = startModes.filter((each) => isPending || each !== "offset" || each === before);
  const hasWait = mode !== "by_hand" && (isPending || mode !== "offset");
  return (
    <div className="pair-tight">
      <input type="hidden" name="start_mode_before" value={before} />
      <Choice
        id="edit-start-mode"
        label={words.starts}
        name="start_mode"
        options={offered.map((value) => ({ value, label: startModeLabel(value) }))}
        value={mode}
        onValue={setMode}
        hint={isStartMode(mode) ? startHint(mode) : undefined}
      />
      {hasWait ? (
        <Field
          id="edit-offset"
          label={mode === "offset" ? "Offset, seconds" : "Wait, seconds"}
          name="offset_seconds"
          type="number"
          inputMode="numeric"
          step={1}
          min={0}
          max={eventLimits.offsetSecondsMax}
          value={String(plan.offsetSeconds)}
        />
      ) : null}
    </div>
  );
}

function TimeFields({ event }: { event: EventView }) {
  const { session } = useShow();
  const seconds = { type: "number", inputMode: "numeric", step: 1 } as const;
  const live = session.state === "running" || session.state === "paused";
  return (
    <div className="pair-tight">
      {isAhead(event) || event.state === "open" ? (
        <Field
          key={`duration ${event.durationSeconds}`}
          id="edit-duration"
          label={moreTexts.durationSeconds}
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
          label={moreTexts.resultWithinSeconds}
          name="resolve_within_seconds"
          {...seconds}
          min={0}
          max={eventLimits.resolveWithinSecondsMax}
          value={String(event.plan.resolveWithinSeconds)}
        />
      )}
      {live ? <DateFields event={event} /> : null}
    </div>
  );
}

/** When it opens and closes, while the session runs. */
function DateFields({ event }: { event: EventView }) {
  const zone = useTimeZone();
  if (!isAhead(event) && event.state !== "open") return null;
  return (
    <>
      <input type="hidden" name="time_zone" value={zone} />
      {isAhead(event) ? (
        <DateField id="edit-opens-at" label="Opens at" name="opens_at" at={event.opensAt} zone={zone} />
      ) : null}
      {event.opensAt === null ? null : (
        <DateField id="edit-closes-at" label="Closes at" name="closes_at" at={event.closesAt} zone={zone} />
      )}
    </>
  );
}

type DateFieldProps = Omit<ComponentProps<typeof MomentField>, "value" | "hint"> & { at: string | null };

/** A moment of the plan, which is sent only if it was changed. */
function DateField({ at, ...field }: DateFieldProps) {
  const value = at === null ? "" : toFieldTime(at, field.zone);
  return (
    <>
      <input type="hidden" name={`${field.name}_before`} value={value} />
      <MomentField
        key={`${field.zone} ${value}`}
        {...field}
        step={1}
        optional
        value={value}
        hint={`In ${field.zone}.`}
      />
    </>
  );
}
