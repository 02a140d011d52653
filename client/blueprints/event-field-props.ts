import * as words from "#client/base/format/words.ts";
import { blueprintLimits as limits } from "#src/show/blueprints/contract.ts";
import { moreTexts } from "./more-texts.ts";

const text = { type: "textarea", optional: true } as const;
const seconds = { type: "number", inputMode: "numeric", step: 1, min: 0 } as const;

/** What the fields of a question have in the control room and in the editor of blueprints. */
export const eventFieldProps = {
  title: { label: words.question, maxLength: limits.titleLengthMax },
  description: { ...text, label: words.description, maxLength: limits.descriptionLengthMax },
  trueLabel: { label: words.trueLabel, maxLength: limits.labelLengthMax },
  falseLabel: { label: words.falseLabel, maxLength: limits.labelLengthMax },
  explanation: {
    ...text,
    label: moreTexts.explanation,
    hint: moreTexts.explanationHint,
    maxLength: limits.explanationLengthMax,
  },
  hostNote: {
    ...text,
    label: moreTexts.hostNote,
    hint: moreTexts.hostNoteHint,
    maxLength: limits.hostNoteLengthMax,
  },
  durationSeconds: {
    ...seconds,
    label: moreTexts.durationSeconds,
    min: limits.durationSecondsMin,
    max: limits.durationSecondsMax,
  },
  /** Its wait, or for an offset from the start of the session that. */
  offsetSeconds: { ...seconds, label: words.waitSeconds, max: limits.offsetSecondsMax },
  resolveWithinSeconds: {
    ...seconds,
    label: moreTexts.resultWithinSeconds,
    max: limits.resolveWithinSecondsMax,
  },
} as const;
