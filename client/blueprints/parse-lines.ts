import type { FieldErrors } from "../ui/field.tsx";
import { checkFields, fieldLabels, numberOrText } from "./event-fields.ts";

/** One line as it was understood. */
export type PastedLine = {
  /** Counted from 1, empty lines included, as an editor counts them. */
  number: number;
  event: { title: string; trueLabel: string; falseLabel: string; durationSeconds: string };
  /** Whole sentences: "Duration must be greater than or equal to 5". */
  problems: string[];
};

type Defaults = Omit<PastedLine["event"], "title">;

/**
 * Reads pasted lines: `question | true | false | 30`, or the same in columns of a spreadsheet. What is left out is as in any new
 * event; empty lines are passed over.
 */
export function parseLines(text: string, defaults: Defaults): PastedLine[] {
  return linesIn(text).map(({ line, number }) => {
    const { title, ...given } = partsOf(line);
    const event = {
      title,
      trueLabel: given.trueLabel || defaults.trueLabel,
      falseLabel: given.falseLabel || defaults.falseLabel,
      durationSeconds: given.durationSeconds || defaults.durationSeconds,
    };
    return { number, event, problems: problemsOf(checkFields(event)) };
  });
}

/** The same lines as the API takes them: what is left out is left to it. */
export function bodyOfLines(text: string) {
  return linesIn(text).map(({ line }) => {
    const { title, trueLabel, falseLabel, durationSeconds } = partsOf(line);
    return {
      title,
      trueLabel: trueLabel || undefined,
      falseLabel: falseLabel || undefined,
      durationSeconds: durationSeconds === "" ? undefined : numberOrText(durationSeconds),
    };
  });
}

function linesIn(text: string): { line: string; number: number }[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "");
}

/** What stands behind the seconds is taken for a part of them, so that it is refused and not lost. */
function partsOf(line: string): PastedLine["event"] {
  const parts = line.split(line.includes("|") ? "|" : "\t").map((part) => part.trim());
  const [title = "", trueLabel = "", falseLabel = "", ...rest] = parts;
  return { title, trueLabel, falseLabel, durationSeconds: rest.join(" | ").replace(/\s*s$/, "") };
}

/**
 * The lines with what the API found wrong with them.
 * @param errors by event as they were sent: `{"blueprintEvents.2.title": ["..."]}`.
 */
export function withErrors(lines: readonly PastedLine[], errors: FieldErrors): PastedLine[] {
  return lines.map((line, row) => {
    const start = `blueprintEvents.${row}.`;
    const ofRow = Object.entries(errors).flatMap(([key, texts]) =>
      key.startsWith(start) ? [[key.slice(start.length), texts] as const] : [],
    );
    const found = problemsOf(Object.fromEntries(ofRow)).filter((problem) => !line.problems.includes(problem));
    return found.length === 0 ? line : { ...line, problems: [...line.problems, ...found] };
  });
}

/** What is wrong as whole sentences: "Question can't be blank". */
export function problemsOf(errors: FieldErrors): string[] {
  const labels: Record<string, string> = fieldLabels;
  return Object.entries(errors).flatMap(([name, texts]) =>
    texts.map((text) => `${labels[name] ?? name} ${text}`),
  );
}
