import { Form, Link } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import {
  checkFields,
  type EventFields,
  fieldsOf,
  isStartMode,
  newFields,
} from "#client/blueprints/event-fields.ts";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { startHint } from "#client/ui/start-texts.ts";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { autoResults, startModes } from "#db/lists/events.ts";
import { blueprintLimits, offeredDurations } from "#src/show/blueprints/contract.ts";
import { autoResultLabel, startModeLabel } from "#src/show/events/contract.ts";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { eventIn, panelLink } from "./panel.ts";

const resultOptions = [
  { value: "", label: texts.byHand },
  ...autoResults.map((value) => ({ value, label: texts.byItself(autoResultLabel(value)) })),
];

/** The form of the chosen event, or of a new one. */
export function EventPanel() {
  const { panel, events, options } = useEditor();
  const event = eventIn(panel, events);
  const isEvent = /^\d+$/.test(panel);
  if (panel === "new") {
    return (
      <PanelFrame title={texts.newAction} shown>
        <EventEditor key="new" initial={newFields(options, events)} />
      </PanelFrame>
    );
  }
  if (event === undefined) return isEvent ? <Gone /> : null;
  const position = events.indexOf(event) + 1;
  return (
    <PanelFrame title={texts.action(position)} shown actions={<EventActions />}>
      <EventEditor key={panel} initial={fieldsOf(event)} />
    </PanelFrame>
  );
}

function EventEditor({ initial }: { initial: EventFields }) {
  const { panel, refused, typed, drafts, type, discard, versionOf } = useEditor();
  const ownRefusal = refused?.panel === panel ? refused : undefined;
  const container = useErrorFocus<HTMLDivElement>(ownRefusal);
  const changed = drafts.has(panel);
  const fields = typed.get(panel) ?? ownRefusal?.fields ?? initial;
  // A new event is not reported as incomplete while it is being typed.
  const ownErrors = changed && panel !== "new" ? checkFields(fields) : {};
  const errors = { ...ownErrors, ...ownRefusal?.errors };
  return (
    <div className="stack" ref={container}>
      <Outcome panel={panel} changed={changed} />
      <Form method="post" className="stack">
        <CsrfField />
        <input type="hidden" name="panel" value={panel} />
        <input type="hidden" name={VERSION_FIELD} value={versionOf(panel)} />
        <EventForm fields={fields} errors={errors} onFields={(next) => type(panel, next)} />
        <div className="row wrap save-row">
          <Submit intent={panel === "new" ? "add_event" : "save_event"}>
            {panel === "new" ? texts.add : texts.save}
          </Submit>
          {changed ? (
            <>
              <button className="btn" type="button" onClick={() => discard(panel)}>
                {texts.discard}
              </button>
              <span className="unsaved small">{texts.notSaved}</span>
            </>
          ) : null}
        </div>
      </Form>
    </div>
  );
}

/** What can be done with the whole event. A removal is undone from the list. */
function EventActions() {
  const { panel } = useEditor();
  return (
    <Form method="post" className="row">
      <CsrfField />
      <input type="hidden" name="panel" value={panel} />
      <Submit intent="duplicate_event" className="btn sm">
        {texts.duplicate}
      </Submit>
      <Submit intent="remove_event" className="btn bad sm">
        {texts.remove}
      </Submit>
    </Form>
  );
}

/** Another user removed the event while its panel was open here. */
function Gone() {
  return (
    <PanelFrame title={texts.removedTitle} shown>
      <p className="small ink2">{texts.removedHint}</p>
      <Link className="btn" {...panelLink("")}>
        {texts.backToList}
      </Link>
    </PanelFrame>
  );
}

/** The fields of a blueprint's event. */
function EventForm(form: Editing) {
  const { fields, errors } = form;
  const bind = bindFields(form);
  const { titleLengthMax, labelLengthMax } = blueprintLimits;
  const title = bind("title");
  return (
    <>
      <Field
        label={texts.question}
        type="textarea"
        maxLength={titleLengthMax}
        hint={texts.lengthOfMax(fields.title.length, titleLengthMax)}
        {...title}
        onValue={(value) => title.onValue(value.replaceAll(/\s*[\r\n]+\s*/g, " "))}
      />
      <div className="pair tight">
        <Field label={texts.trueLabel} maxLength={labelLengthMax} {...bind("trueLabel")} />
        <Field label={texts.falseLabel} maxLength={labelLengthMax} {...bind("falseLabel")} />
      </div>
      <EventStart fields={fields} bind={bind} />
      <More fields={fields} errors={errors} bind={bind} />
    </>
  );
}

type MoreProps = Pick<Editing, "fields" | "errors"> & { bind: Bind };

/** Fields that most events leave unchanged. Opens by itself if one of them has an error. */
function More({ fields, errors, bind }: MoreProps) {
  const { resolveWithinSecondsMax, descriptionLengthMax } = blueprintLimits;
  const inside = ["description", "resolveWithinSeconds", "minWager", "maxWager", "autoResult"];
  const byItself = fields.autoResult !== "";
  return (
    <details className="more" open={inside.some((name) => name in errors) || undefined}>
      <summary>{texts.moreFields}</summary>
      <div className="stack">
        <div className="pair tight">
          <Field label={texts.leastWagerDollars} inputMode="decimal" {...bind("minWager")} />
          <Field
            label={texts.mostPerPlayerDollars}
            inputMode="decimal"
            optional
            placeholder={texts.noLimit}
            {...bind("maxWager")}
          />
        </div>
        <div className="pair tight">
          <Choice label={texts.result} options={resultOptions} {...bind("autoResult")} />
          <Field
            label={texts.resultWithinSeconds}
            type="number"
            inputMode="numeric"
            min={0}
            max={resolveWithinSecondsMax}
            step={1}
            hint={byItself ? texts.resolvesAfterHint : texts.lateAfterHint}
            {...bind("resolveWithinSeconds")}
          />
        </div>
        <Field
          label={texts.description}
          type="textarea"
          optional
          maxLength={descriptionLengthMax}
          {...bind("description")}
        />
      </div>
    </details>
  );
}

/** Fields for when an event opens, and for how long. */
function EventStart({ fields, bind }: { fields: EventFields; bind: Bind }) {
  const { durationSecondsMin, durationSecondsMax, offsetSecondsMax } = blueprintLimits;
  const seconds = { type: "number", inputMode: "numeric", step: 1 } as const;
  const { startMode } = fields;
  const mode = bind("startMode");
  const duration = bind("durationSeconds");
  return (
    <>
      <div className="stack close">
        <div className="pair tight">
          <Field
            label={texts.openForSeconds}
            {...seconds}
            min={durationSecondsMin}
            max={durationSecondsMax}
            {...duration}
          />
          {startMode === "by_hand" ? (
            <input type="hidden" name={bind("offsetSeconds").name} value={fields.offsetSeconds} />
          ) : (
            <Field
              label={startMode === "offset" ? texts.offsetSeconds : texts.waitSeconds}
              {...seconds}
              min={0}
              max={offsetSecondsMax}
              {...bind("offsetSeconds")}
            />
          )}
        </div>
        <UsualDurations chosen={fields.durationSeconds} choose={duration.onValue} />
      </div>
      <fieldset className="field" aria-describedby="starts-hint">
        <legend className="label">{texts.starts}</legend>
        <div className="seg full pairs">
          {startModes.map((value) => (
            <label key={value}>
              <input
                className="vh"
                type="radio"
                name={mode.name}
                value={value}
                checked={startMode === value}
                onChange={() => mode.onValue(value)}
              />
              {startModeLabel(value)}
            </label>
          ))}
        </div>
        <span className="hint" id="starts-hint">
          {isStartMode(startMode) ? startHint(startMode) : null}
        </span>
      </fieldset>
    </>
  );
}

/** Buttons for the usual durations. */
function UsualDurations({ chosen, choose }: { chosen: string; choose: (seconds: string) => void }) {
  return (
    <div className="seg full with-script" role="group" aria-label={texts.usualDurations}>
      {offeredDurations.map((seconds) => (
        <button
          key={seconds}
          type="button"
          aria-pressed={chosen === String(seconds)}
          aria-label={texts.secondsOf(seconds)}
          onClick={() => choose(String(seconds))}
        >
          {seconds}
        </button>
      ))}
    </div>
  );
}

/** The state of an event's form. */
type Editing = {
  fields: EventFields;
  errors: FieldErrors;
  onFields: (fields: EventFields) => void;
};

/** Makes the props that bind a control to a field: its value, its errors and its change handler. */
type Bind = ReturnType<typeof bindFields>;

function bindFields({ fields, errors, onFields }: Editing) {
  return (name: keyof EventFields) => ({
    name,
    id: `event-${name}`,
    value: fields[name],
    onValue: (value: string) => onFields({ ...fields, [name]: value }),
    errors: errors[name],
  });
}
