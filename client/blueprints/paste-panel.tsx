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

/** Many events at once, one a line. What was understood stands below before anything is saved. */
export function PastePanel({ tellChanged }: { tellChanged: (changed: boolean) => void }) {
  const { panel, said, refused } = useEditor();
  const [text, setText] = useState(refused?.lines ?? "");
  const { key } = useLocation();
  const [seenKey, setSeenKey] = useState(key);
  if (key !== seenKey) {
    setSeenKey(key);
    if (said?.said === "pasted") setText("");
  }
  const changed = text.trim() !== "";
  useEffect(() => tellChanged(changed), [changed, tellChanged]);
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
  const mine = refused?.panel === "paste" ? refused : undefined;
  const { trueLabel, falseLabel, durationSeconds } = options.blueprintEvent;
  const shownText = useDeferredValue(text);
  const lines = useMemo(() => {
    const defaults = { trueLabel, falseLabel, durationSeconds: String(durationSeconds) };
    const parsed = parseLines(shownText, defaults);
    // What the API said is about what was sent, and no longer true of what is typed since.
    return mine?.lines === shownText ? withErrors(parsed, mine.errors) : parsed;
  }, [shownText, mine, trueLabel, falseLabel, durationSeconds]);
  const wrong = lines.filter(({ problems }) => problems.length > 0).length;
  const room = blueprintLimits.eventsMax - events.length;
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
      {wrong === 0 && lines.length <= room ? <Outcome panel="paste" changed={false} /> : null}
      {wrong === 0 ? null : (
        <Note tone="warn">
          {countOf(wrong, "line")} {wrong === 1 ? "needs" : "need"} a change before anything is added.
        </Note>
      )}
      {lines.length > room ? (
        <Note tone="warn">
          There is room for {countOf(room, "more action")}; these are {lines.length}.
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
