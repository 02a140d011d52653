import { Form, Link } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { checkFields, type EventFields, fieldsOf, newFields } from "#client/blueprints/event-fields.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { useEditor } from "./editor-context.ts";
import { EventForm } from "./event-form.tsx";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { eventIn, panelLink } from "./panel.ts";

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
