import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { eventFieldProps } from "#client/blueprints/event-field-props.ts";
import {
  checkFields,
  type EventFields,
  fieldsOf,
  isStartMode,
  newFields,
} from "#client/blueprints/event-fields.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { PictureFields } from "#client/blueprints/picture-fields.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Field, type FieldErrors } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { startHint } from "#client/ui/start-texts.ts";
import { Submit } from "#client/ui/submit.tsx";
import { autoResults, startModes } from "#db/lists/events.ts";
import { blueprintLimits, offeredDurations } from "#src/show/blueprints/contract.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { autoResultLabel, startModeLabel } from "#src/show/events/contract.ts";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { eventIn, panelLink } from "./panel.ts";

const resultOptions = [
  { value: "", label: "By hand" },
  ...autoResults.map((value) => ({ value, label: `By itself: ${autoResultLabel(value)}` })),
];

export function EventPanel() {
  const { panel, events, options } = useEditor();
  const event = eventIn(panel, events);
  const isEvent = /^\d+$/.test(panel);
  if (panel === "new") {
    return (
      <PanelFrame title={words.newAction} shown>
        <EventEditor key="new" initial={newFields(options, events)} />
      </PanelFrame>
    );
  }
  if (event === undefined) return isEvent ? <Gone /> : null;
  const position = events.indexOf(event) + 1;
  return (
    <PanelFrame title={`Action ${position}`} shown actions={<EventActions />}>
      <EventEditor key={panel} initial={fieldsOf(event)} />
      <PictureForm key={`picture ${panel}`} event={event} />
    </PanelFrame>
  );
}

function EventEditor({ initial }: { initial: EventFields }) {
  const { panel, refused, typed, drafts, type, discard, versionOf } = useEditor();
  const ownRefusal = refused?.panel === panel ? refused : undefined;
  const changed = drafts.has(panel);
  const fields = typed.get(panel) ?? ownRefusal?.fields ?? initial;
  // A new event is not reported as incomplete while it is being typed.
  const ownErrors = changed && panel !== "new" ? checkFields(fields) : {};
  const errors = { ...ownErrors, ...ownRefusal?.errors };
  return (
    <PostForm className="stack" fields={{ panel, [VERSION_FIELD]: versionOf(panel) }} refused={ownRefusal}>
      <Outcome panel={panel} changed={changed} />
      <EventForm fields={fields} errors={errors} onFields={(next) => type(panel, next)} />
      <div className="row wrap save-row">
        <Submit intent={panel === "new" ? "add_event" : "save_event"}>
          {panel === "new" ? "Add" : words.save}
        </Submit>
        {changed ? (
          <>
            <button className="btn" type="button" onClick={() => discard(panel)}>
              Discard
            </button>
            <span className="unsaved small">{words.notSaved}</span>
          </>
        ) : null}
      </div>
    </PostForm>
  );
}

/** The picture of a saved event. The whole page is sent, because a file goes with it: so it works without JavaScript too. */
function PictureForm({ event }: { event: BlueprintEventView }) {
  const { panel, refused, versionOf } = useEditor();
  const form = `picture ${panel}`;
  const own = refused?.panel === form ? refused : undefined;
  return (
    <PostForm
      encType="multipart/form-data"
      reloadDocument
      className="stack"
      fields={{ panel: form, [VERSION_FIELD]: own?.version ?? versionOf(panel) }}
      refused={own}
    >
      <Refusal refused={own} />
      <PictureFields picture={event.picture} typed={own?.pictureAlt} errors={own?.errors ?? {}} />
      <div className="row">
        <Submit intent="save_picture" className="btn">
          Save the picture
        </Submit>
      </div>
    </PostForm>
  );
}

/** What can be done with the whole event. A removal is undone from the list. */
function EventActions() {
  const { panel } = useEditor();
  return (
    <PostForm className="row" fields={{ panel }}>
      <Submit intent="duplicate_event" className="btn sm">
        {words.duplicate}
      </Submit>
      <Submit intent="remove_event" className="btn bad sm">
        {words.remove}
      </Submit>
    </PostForm>
  );
}

/** Another user removed the event while its panel was open here. */
function Gone() {
  return (
    <PanelFrame title="Not there any more" shown>
      <p className="small ink2">This action was removed.</p>
      <Link className="btn" {...panelLink("")}>
        {words.backToList}
      </Link>
    </PanelFrame>
  );
}

function EventForm(form: Editing) {
  const { fields, errors } = form;
  const bind = bindFields(form);
  const { titleLengthMax } = blueprintLimits;
  const title = bind("title");
  return (
    <>
      <Field
        {...eventFieldProps.title}
        type="textarea"
        hint={`${fields.title.length} of ${titleLengthMax}`}
        {...title}
        onValue={(value) => title.onValue(value.replaceAll(/\s*[\r\n]+\s*/g, " "))}
      />
      <div className="pair tight">
        <Field {...eventFieldProps.trueLabel} {...bind("trueLabel")} />
        <Field {...eventFieldProps.falseLabel} {...bind("falseLabel")} />
      </div>
      <EventStart fields={fields} bind={bind} />
      <More fields={fields} errors={errors} bind={bind} />
    </>
  );
}

/** Fields that most events leave unchanged. Opens by itself if one of them has an error. */
function More({ fields, errors, bind }: Pick<Editing, "fields" | "errors"> & { bind: Bind }) {
  const inside = [
    "description",
    "explanation",
    "hostNote",
    "resolveWithinSeconds",
    "minWager",
    "maxWager",
    "autoResult",
  ];
  const byItself = fields.autoResult !== "";
  return (
    <details className="more" open={inside.some((name) => name in errors) || undefined}>
      <summary>Explanation, note, limits, description</summary>
      <div className="stack">
        <Field {...eventFieldProps.explanation} {...bind("explanation")} />
        <Field {...eventFieldProps.hostNote} {...bind("hostNote")} />
        <div className="pair tight">
          <Field label={words.leastWagerDollars} inputMode="decimal" {...bind("minWager")} />
          <Field
            label={moreTexts.mostPerPlayer}
            inputMode="decimal"
            optional
            placeholder="No limit"
            {...bind("maxWager")}
          />
        </div>
        <div className="pair tight">
          <Choice label={words.result} options={resultOptions} {...bind("autoResult")} />
          <Field
            {...eventFieldProps.resolveWithinSeconds}
            hint={byItself ? "Counted from its close." : "Counted from its close. After that it is late."}
            {...bind("resolveWithinSeconds")}
          />
        </div>
        <Field {...eventFieldProps.description} {...bind("description")} />
      </div>
    </details>
  );
}

function EventStart({ fields, bind }: { fields: EventFields; bind: Bind }) {
  const { startMode } = fields;
  const mode = bind("startMode");
  const duration = bind("durationSeconds");
  return (
    <>
      <div className="stack close">
        <div className="pair tight">
          <Field {...eventFieldProps.durationSeconds} label={moreTexts.openForSeconds} {...duration} />
          {startMode === "by_hand" ? (
            <input type="hidden" name={bind("offsetSeconds").name} value={fields.offsetSeconds} />
          ) : (
            <Field
              {...eventFieldProps.offsetSeconds}
              label={startMode === "offset" ? "Offset, seconds" : words.waitSeconds}
              {...bind("offsetSeconds")}
            />
          )}
        </div>
        <UsualDurations chosen={fields.durationSeconds} choose={duration.onValue} />
      </div>
      <fieldset className="field" aria-describedby="starts-hint">
        <legend className="label">{words.starts}</legend>
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

function UsualDurations({ chosen, choose }: { chosen: string; choose: (seconds: string) => void }) {
  return (
    <div className="seg full with-script" role="group" aria-label="Usual durations">
      {offeredDurations.map((seconds) => (
        <button
          key={seconds}
          type="button"
          aria-pressed={chosen === String(seconds)}
          aria-label={`${seconds} seconds`}
          onClick={() => choose(String(seconds))}
        >
          {seconds}
        </button>
      ))}
    </div>
  );
}

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
