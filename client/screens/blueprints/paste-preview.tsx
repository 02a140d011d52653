import { memo } from "react";
import * as texts from "#client/blueprints/editor-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import type { PastedLine } from "./parse-lines.ts";

/** A preview of the pasted lines with their errors. */
export const PastePreview = memo(function PastePreview({ lines }: { lines: readonly PastedLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="preview" tabIndex={0} role="region" aria-label={texts.previewLabel}>
      <ol>
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </ol>
    </div>
  );
});

function Line({ line: { number, event, problems } }: { line: PastedLine }) {
  return (
    <li className="small">
      <span className="num muted">{number}</span>
      <span>
        <b>{event.title === "" ? texts.noQuestion : event.title}</b>
        <span className="tiny ink2">
          {texts.describeLine(event.trueLabel, event.falseLabel, event.durationSeconds)}
        </span>
        {problems.map((problem) => (
          <span className="wrong" key={problem}>
            <Icon name="warning" size="s" />
            {texts.lineProblem(number, problem)}
          </span>
        ))}
      </span>
    </li>
  );
}
