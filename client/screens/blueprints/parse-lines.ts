import { checkFields, fieldLabels, numberOrText } from "#client/blueprints/event-fields.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";

/** One parsed line. */
export type PastedLine = {
  /** Line number from 1, empty lines included. */
  number: number;
  event: { title: string; trueLabel: string; falseLabel: string; durationSeconds: string };
  /** Whole sentences: "Duration must be greater than or equal to 5". */
  problems: string[];
};

type Defaults = Omit<PastedLine["event"], "title">;

/**
 * Parses pasted lines: `question | true | false | 30`, or the same separated by tabs, as a spreadsheet copies them. Omitted
 * parts get the defaults of a new event; empty lines are skipped.
 */
export function parseLines(text: string, defaults: Defaults): PastedLine[] {
  return linesIn(text).map(({ line, number }) => {
    const { title, ...parts } = partsOf(line);
    const event = {
      title,
      trueLabel: parts.trueLabel || defaults.trueLabel,
      falseLabel: parts.falseLabel || defaults.falseLabel,
      durationSeconds: parts.durationSeconds || defaults.durationSeconds,
    };
    return { number, event, problems: problemsOf(checkFields(event)) };
  });
}

/**
 * The lines as the API expects them; omitted parts get the API's defaults.
 * @param firstWaitSeconds the wait of the first line; the others follow it with the usual wait.
 */
export function bodyOfLines(text: string, firstWaitSeconds: number | undefined) {
  return linesIn(text).map(({ line }, index) => {
    const { title, trueLabel, falseLabel, durationSeconds } = partsOf(line);
    return {
      title,
      trueLabel: trueLabel || undefined,
      falseLabel: falseLabel || undefined,
      offsetSeconds: index === 0 ? firstWaitSeconds : WAIT_DEFAULT_SECONDS,
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

/** Further parts are appended to the seconds, so that the line is refused instead of losing them. */
function partsOf(line: string): PastedLine["event"] {
  const parts = line.split(line.includes("|") ? "|" : "\t").map((part) => part.trim());
  const [title = "", trueLabel = "", falseLabel = "", ...rest] = parts;
  return { title, trueLabel, falseLabel, durationSeconds: rest.join(" | ").replace(/\s*s$/, "") };
}

/**
 * Adds the API's errors to the lines.
 * @param errors by index of the sent event: `{"blueprintEvents.2.title": ["..."]}`.
 */
export function withErrors(lines: readonly PastedLine[], errors: FieldErrors): PastedLine[] {
  return lines.map((line, row) => {
    const start = `blueprintEvents.${row}.`;
    const rowErrors = Object.entries(errors).flatMap(([key, texts]) =>
      key.startsWith(start) ? [[key.slice(start.length), texts] as const] : [],
    );
    const added = problemsOf(Object.fromEntries(rowErrors)).filter(
      (problem) => !line.problems.includes(problem),
    );
    return added.length === 0 ? line : { ...line, problems: [...line.problems, ...added] };
  });
}

/** Errors as sentences: "Question can't be blank". */
export function problemsOf(errors: FieldErrors): string[] {
  const labels: Record<string, string> = fieldLabels;
  return Object.entries(errors).flatMap(([name, texts]) =>
    texts.map((text) => `${labels[name] ?? name} ${text}`),
  );
}
