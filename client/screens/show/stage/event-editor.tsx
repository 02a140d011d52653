import { type ComponentProps, useRef, useState } from "react";
import { useActionData } from "react-router";
import { toFieldTime } from "#client/base/format/field-time.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { eventFieldProps } from "#client/blueprints/event-field-props.ts";
import { isStartMode } from "#client/blueprints/event-fields.ts";
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
import { snakeCase } from "#src/http/contract.ts";
import { startModeLabel } from "#src/show/events/contract.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { AboutEvent, ActForm, ActSubmit } from "../running/act-form.tsx";
import { disabledReasonForRetiming } from "../running/disabled-reason.ts";
import { isAhead } from "../running/on-stage.ts";
import { useShow } from "../running/show-context.ts";

/**
 * Edits an event's texts and times, as far as they may still change. When another user changes a field, that field is reset
 * (by its key); the others keep what was typed.
 */
export function EventEditor({ event }: { event: EventView }) {
  const { session } = useShow();
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
        <ActSubmit intent="update" event={event} disabledReason={stake}>
          {words.save}
        </ActSubmit>
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

type EditFieldProps = { name: keyof typeof eventFieldProps; value: string | number; label?: string };

/** A field with what is saved: the change of another user resets it. */
function EditField({ name, value, ...props }: EditFieldProps) {
  const field = snakeCase(name);
  return (
    <Field
      key={value}
      id={`edit-${field.replaceAll("_", "-")}`}
      name={field}
      {...eventFieldProps[name]}
      {...props}
      value={String(value)}
    />
  );
}

/** They can be corrected at any time. */
function MoreFields({ plan }: { plan: EventPlan | null }) {
  return (
    <>
      <EditField name="explanation" value={plan?.explanation ?? ""} />
      <EditField name="hostNote" value={plan?.hostNote ?? ""} />
    </>
  );
}

type TextFieldsProps = Pick<EventView, "title" | "description" | "trueLabel" | "falseLabel"> & {
  isCalled: boolean;
};

function TextFields({ isCalled, ...event }: TextFieldsProps) {
  if (isCalled) return <p className="small ink2">Somebody has called: the question and its labels stand.</p>;
  return (
    <>
      <EditField name="title" value={event.title} />
      <EditField name="description" value={event.description} />
      <div className="pair-tight">
        <EditField name="trueLabel" value={event.trueLabel} />
        <EditField name="falseLabel" value={event.falseLabel} />
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
        <EditField
          name="offsetSeconds"
          value={plan.offsetSeconds}
          label={mode === "offset" ? "Offset, seconds" : words.waitSeconds}
        />
      ) : null}
    </div>
  );
}

function TimeFields({ event }: { event: EventView }) {
  const { session } = useShow();
  const live = session.state === "running" || session.state === "paused";
  return (
    <div className="pair-tight">
      {isAhead(event) || event.state === "open" ? (
        <EditField name="durationSeconds" value={event.durationSeconds} />
      ) : null}
      {event.plan === null || event.state === "resolved" || event.state === "hidden" ? null : (
        <EditField name="resolveWithinSeconds" value={event.plan.resolveWithinSeconds} />
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
