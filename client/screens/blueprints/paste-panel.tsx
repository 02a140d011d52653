import { useDeferredValue, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as texts from "#client/blueprints/paste-texts.ts";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { AssistantPrompt } from "./assistant-prompt.tsx";
import { useEditor } from "./editor-context.ts";
import { FileChoice, usePlanFile } from "./file-choice.tsx";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { PastePreview } from "./paste-preview.tsx";
import { type PlanPreview, usePlanPreview } from "./use-plan-preview.ts";

const linesToFix = (count: number) =>
  count === 1
    ? "1 line needs a change before anything is added."
    : `${countOf(count, "line")} need a change before anything is added.`;

/** Adds many events at once: a list, cells of a spreadsheet, or a file. A preview is shown before anything is saved. */
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
        {fill(
          `A question a line, a list, or cells of a spreadsheet: {example}, or with a header in any order. What you leave out is as in any new action: each opens ${WAIT_DEFAULT_SECONDS} seconds after the result of the one before it.`,
          { example: <code>question | true | false | seconds</code> },
        )}
      </p>
      <PasteForm text={text} setText={setText} />
    </PanelFrame>
  );
}

function PasteForm({ text, setText }: { text: string; setText: (text: string) => void }) {
  const { options } = useEditor();
  const { trueLabel, falseLabel, durationSeconds } = options.blueprintEvent;
  const shownText = useDeferredValue(text);
  const preview = usePlanPreview(shownText);
  const { chosen, fault, take, dropping } = usePlanFile(setText);
  const count = preview.lines.filter(({ isOut }) => !isOut).length;
  return (
    <PostForm className="stack" fields={{ panel: "paste", rows: preview.rows }} {...dropping}>
      <Field
        label="Actions, one a line"
        id="paste-lines"
        name="lines"
        type="textarea"
        rows={8}
        placeholder={"Home team to win the toss? | Heads | Tails | 30\nGoal inside ten minutes?"}
        value={text}
        onValue={setText}
      />
      <FileChoice chosen={chosen} take={take} />
      <AssistantPrompt />
      <Remarks preview={preview} fileFault={fault} />
      <div className="row wrap">
        <Submit intent="paste">{count === 0 ? "Add all lines" : `Add ${countOf(count, "action")}`}</Submit>
        <span className="without-javascript">
          <Submit intent="check_lines" className="btn">
            Check first
          </Submit>
        </span>
      </div>
      <PastePreview
        preview={preview}
        defaults={{ trueLabel, falseLabel, durationSeconds: String(durationSeconds) }}
      />
    </PostForm>
  );
}

/** What was read, and what has to change before it can be added. */
function Remarks({ preview, fileFault }: { preview: PlanPreview; fileFault: string | null }) {
  const { events } = useEditor();
  const { lines, leftOut, fault, brought } = preview;
  const kept = lines.filter(({ isOut }) => !isOut);
  const wrong = kept.filter(({ problems }) => problems.length > 0).length;
  const remaining = blueprintLimits.eventsMax - events.length;
  const isTooLong = kept.length > remaining;
  const surplus = lines.flatMap(({ isOut }, index) => (isOut ? [] : [index])).slice(remaining);
  return (
    <>
      {wrong === 0 && !isTooLong && fault === null ? <Outcome panel="paste" changed={false} /> : null}
      {fileFault === null ? null : <Note tone="bad">{fileFault}</Note>}
      {fault === null ? null : <Note tone="warn">{fault}</Note>}
      {brought === null ? null : (
        <Note>Only the actions are added. The name and the settings of what was exported are left out.</Note>
      )}
      {wrong === 0 ? null : <Note tone="warn">{linesToFix(wrong)}</Note>}
      {isTooLong ? (
        <Note tone="warn">
          {`There is room for ${countOf(remaining, "more action")}; these are ${kept.length}.`}{" "}
          <button className="btn sm with-script" type="button" onClick={() => preview.leave(surplus, true)}>
            {`Leave out the last ${surplus.length}`}
          </button>
        </Note>
      ) : null}
      <p className="small ink2" role="status">
        {lines.length + leftOut.length === 0
          ? ""
          : texts.readSoFar(kept.length, leftOut.length + lines.length - kept.length)}
      </p>
    </>
  );
}
