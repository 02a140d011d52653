import { type ReactNode, useState } from "react";
import * as words from "#client/base/format/words.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import * as texts from "#client/blueprints/paste-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import type { PlanTexts } from "#src/show/blueprints/plan-text/columns.ts";
import type { PlanPreview, PreviewLine } from "./use-plan-preview.ts";

const ofLine = (number: number) => ` line ${number}`;

type PreviewProps = { preview: PlanPreview; defaults: PlanDefaults };
/** What an action has that says nothing about it. */
export type PlanDefaults = Pick<PlanTexts, "trueLabel" | "falseLabel" | "durationSeconds">;

/** Each line as it was read: it can be corrected, or left out. Below them is what is no action, and why. */
export function PastePreview({ preview, defaults }: PreviewProps) {
  const { lines, leftOut } = preview;
  if (lines.length === 0 && leftOut.length === 0) return null;
  return (
    <div className="preview" tabIndex={0} role="region" aria-label="What was understood">
      <ol>
        {lines.map((line, index) => (
          <Line
            key={`${index} ${line.line}`}
            line={line}
            index={index}
            preview={preview}
            defaults={defaults}
          />
        ))}
      </ol>
      {leftOut.length === 0 ? null : (
        <ul aria-label="Not added">
          {leftOut.map(({ line, text, why }) => (
            <li className="small ink2" key={`${line} ${text}`}>
              <span className="num muted">{line}</span>
              <span>{`Left out, ${why}: ${text}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type LineProps = PreviewProps & { line: PreviewLine; index: number };

function Line({ line, index, preview, defaults }: LineProps) {
  const { problems, isOut } = line;
  const [asked, setAsked] = useState(false);
  const isOpen = !isOut && (asked || problems.length > 0);
  return (
    <li className={isOut ? "small out" : "small"}>
      <span className="num muted">{line.line}</span>
      <div className="stack close">
        {isOpen ? (
          <Correction line={line} index={index} preview={preview} defaults={defaults} />
        ) : (
          <Read line={line} defaults={defaults} />
        )}
        {isOut ? null : <Problems line={line} />}
        <Choices>
          {isOpen || isOut ? null : (
            <button className="btn sm bare" type="button" onClick={() => setAsked(true)}>
              Correct
              <span className="vh">{ofLine(line.line)}</span>
            </button>
          )}
          <button
            className="btn sm bare"
            type="button"
            aria-pressed={isOut}
            onClick={() => preview.leave([index], !isOut)}
          >
            {isOut ? "Put back" : "Leave out"}
            <span className="vh">{ofLine(line.line)}</span>
          </button>
        </Choices>
      </div>
    </li>
  );
}

const Choices = ({ children }: { children: ReactNode }) => (
  <span className="row with-script">{children}</span>
);

function Read({ line: { texts: read, isOut }, defaults }: { line: PreviewLine; defaults: PlanDefaults }) {
  return (
    <span>
      <b>{read.title === "" ? "No question" : read.title}</b>
      <span className="tiny ink2 block">
        {isOut
          ? "Left out"
          : texts.describeLine({
              yes: read.trueLabel || defaults.trueLabel,
              no: read.falseLabel || defaults.falseLabel,
              seconds: read.durationSeconds || defaults.durationSeconds,
              more: [read.startMode, read.offsetSeconds === "" ? "" : texts.waitOf(read.offsetSeconds)]
                .concat(read.minWager === "" ? [] : [`from $${read.minWager.replace("$", "")}`])
                .concat(read.maxWager === "" ? [] : [`up to $${read.maxWager.replace("$", "")}`])
                .concat(read.explanation === "" ? [] : ["with an explanation"])
                .concat(read.hostNote === "" ? [] : ["with a note for hosts"])
                .concat(read.picture === "" ? [] : ["with a picture"])
                .filter((part) => part !== ""),
            })}
      </span>
    </span>
  );
}

function Problems({ line: { line, problems } }: { line: PreviewLine }) {
  return problems.map((problem) => (
    <span className="wrong" key={problem}>
      <Icon name="warning" size="s" />
      {`Line ${line}: ${problem}`}
    </span>
  ));
}

const inRow = [
  { name: "trueLabel", label: words.trueLabel },
  { name: "falseLabel", label: words.falseLabel },
  { name: "durationSeconds", label: "Seconds" },
] as const;
const onDemand = [
  { name: "startMode", label: words.starts },
  { name: "minWager", label: "Least wager, $" },
  { name: "maxWager", label: moreTexts.mostPerPlayer },
  { name: "offsetSeconds", label: texts.wait },
  { name: "resolveWithinSeconds", label: moreTexts.resultWithinSeconds },
  { name: "autoResult", label: words.result },
  { name: "description", label: words.description },
  { name: "explanation", label: moreTexts.explanation },
  { name: "hostNote", label: moreTexts.hostNote },
  { name: "pictureAlt", label: moreTexts.pictureShows },
] as const;

/** The texts of a line as fields: the usual ones, and those that the line has. */
function Correction({ line, index, preview, defaults }: LineProps) {
  const { texts: read } = line;
  const field = (name: keyof PlanTexts, label: string) => (
    <label key={name} className={name === "title" ? "wide" : undefined}>
      <span className="tiny ink2">{label}</span>
      <input
        className="input"
        value={read[name]}
        aria-label={`${label} of line ${line.line}`}
        placeholder={Object.hasOwn(defaults, name) ? { ...read, ...defaults }[name] : undefined}
        onChange={({ currentTarget }) => preview.correct(index, { ...read, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <span className="correction">
      {field("title", words.question)}
      {inRow.map(({ name, label }) => field(name, label))}
      {onDemand.flatMap(({ name, label }) => (read[name] === "" ? [] : [field(name, label)]))}
    </span>
  );
}
