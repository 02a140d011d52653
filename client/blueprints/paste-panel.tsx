import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Form, useLocation } from "react-router";
import { blueprintLimits } from "#src/blueprints/contract.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { countOf } from "../ui/count.ts";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { useEditor } from "./editor-context.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { parseLines, withErrors } from "./parse-lines.ts";
import { PastePreview } from "./paste-preview.tsx";

const EXAMPLE = "Home team to win the toss? | Heads | Tails | 30\nGoal inside ten minutes?";

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
    <PanelFrame title="Paste in bulk" shown={panel === "paste"}>
      <p className="small ink2">
        One action a line: <code>question | true | false | seconds</code>. What you leave out is as in any new
        action. Columns of a spreadsheet work too.
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
      <Field
        label="Actions, one a line"
        id="paste-lines"
        name="lines"
        type="textarea"
        rows={8}
        placeholder={EXAMPLE}
        value={text}
        onValue={setText}
      />
      {wrong === 0 && lines.length <= remaining ? <Outcome panel="paste" changed={false} /> : null}
      {wrong === 0 ? null : (
        <Note tone="warn">
          {countOf(wrong, "line")} {wrong === 1 ? "needs" : "need"} a change before anything is added.
        </Note>
      )}
      {lines.length > remaining ? (
        <Note tone="warn">
          There is room for {countOf(remaining, "more action")}; these are {lines.length}.
        </Note>
      ) : null}
      <div className="row wrap">
        <Submit intent="paste">
          {lines.length === 0 ? "Add all lines" : `Add ${countOf(lines.length, "action")}`}
        </Submit>
        <span className="without-script">
          <Submit intent="check_lines" className="btn">
            Check first
          </Submit>
        </span>
      </div>
      <PastePreview lines={lines} />
    </Form>
  );
}
