import { questionLimits } from "#db/lists/questions.ts";
import { eventLimits } from "#src/show/events/contract.ts";
import { SETTING_SECONDS_MAX } from "#src/show/sessions/contract.ts";

export const blueprintLimits = {
  ...eventLimits,
  ...questionLimits,
  nameLengthMax: 80,
  eventsMax: 200,
  settingSecondsMax: SETTING_SECONDS_MAX,
};

/** What an event of a blueprint has in common with an event of a session: what is copied from one to the other. */
export const planFields = [
  ...(["title", "description", "trueLabel", "falseLabel", "picture", "explanation", "hostNote"] as const),
  ...(["startMode", "offsetSeconds", "durationSeconds", "resolveWithinSeconds"] as const),
  ...(["minWagerCents", "maxWagerCents", "autoResult"] as const),
];

export const offeredDurations = [15, 30, 60, 120];

/** A removed blueprint, or removed events of one, can be brought back for this long. */
export const REMOVAL_KEPT_HOURS = 24;

/** The most bytes of a file with a plan. A workbook of 1,000 questions has some 100 KB. */
export const PLAN_FILE_BYTES_MAX = 2_000_000;
/** How the letters or the sheet of a file are chosen, in characters. */
export const PLAN_FILE_CHOICE_LENGTH_MAX = 100;
