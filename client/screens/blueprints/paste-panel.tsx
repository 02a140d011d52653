import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Form, useLocation } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { waitAfter } from "#client/blueprints/event-fields.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { parseLines, withErrors } from "./parse-lines.ts";
import { PastePreview } from "./paste-preview.tsx";

const EXAMPLE = texts.pasteExample;

/** Adds many events at once, one per line. A preview is shown before anything is saved. */
export function PastePanel({ onChanged }: { onChanged: (changed: boolean) => void }) {
  const { panel, notice, refused } = useEditor();
  const [text, setText] = useState(refused?.lines ?? "");
  const { key } = useLocation();
  const [previousKey, setPreviousKey] = useState(key);
  if (key !== previousKey) {
    setPreviousKey(key);
    if (notice?.name === "pasted") setText("");
  }
  const changed = text.trim() !== "";
  useEffect(() => onChanged(changed), [changed, onChanged]);
  return (
    <PanelFrame title={texts.pasteInBulk} shown={panel === "paste"}>
      <p className="small ink2">
        {fill(texts.pasteHint(WAIT_DEFAULT_SECONDS), {
          example: <code>{texts.lineFormat}</code>,
        })}
      </p>
      <PasteForm text={text} setText={setText} />
    </PanelFrame>
  );
}

function PasteForm({ text, setText }: { text: string; setText: (text: string) => void }) {
  const { events, options, refused } = useEditor();
  const ownRefusal = refused?.panel === "paste" ? refused : undefined;
  const { trueLabel, falseLabel, durationSeconds } = options.blueprintEvent;
  const shownText = useDeferredValue(text);
  const lines = useMemo(() => {
    const defaults = { trueLabel, falseLabel, durationSeconds: String(durationSeconds) };
    const parsed = parseLines(shownText, defaults);
    // The API's errors are about the text that was sent. They do not apply once it was edited.
    return ownRefusal?.lines === shownText ? withErrors(parsed, ownRefusal.errors) : parsed;
  }, [shownText, ownRefusal, trueLabel, falseLabel, durationSeconds]);
  const wrong = lines.filter(({ problems }) => problems.length > 0).length;
  const remaining = blueprintLimits.eventsMax - events.length;
  return (
    <Form method="post" className="stack">
      <CsrfField />
      <input type="hidden" name="panel" value="paste" />
      <input type="hidden" name="first_wait" value={waitAfter(events)} />
      <Field
        label={texts.pasteLabel}
        id="paste-lines"
        name="lines"
        type="textarea"
        rows={8}
        placeholder={EXAMPLE}
        value={text}
        onValue={setText}
      />
      {wrong === 0 && lines.length <= remaining ? <Outcome panel="paste" changed={false} /> : null}
      {wrong === 0 ? null : <Note tone="warn">{texts.linesToFix(wrong)}</Note>}
      {lines.length > remaining ? (
        <Note tone="warn">{texts.tooManyLines(remaining, lines.length)}</Note>
      ) : null}
      <div className="row wrap">
        <Submit intent="paste">
          {lines.length === 0 ? texts.addAllLines : texts.addActions(lines.length)}
        </Submit>
        <span className="without-javascript">
          <Submit intent="check_lines" className="btn">
            {texts.checkFirst}
          </Submit>
        </span>
      </div>
      <PastePreview lines={lines} />
    </Form>
  );
}
