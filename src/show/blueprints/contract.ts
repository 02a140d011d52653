import { eventLimits } from "#src/show/events/contract.ts";
import { SETTING_SECONDS_MAX } from "#src/show/sessions/contract.ts";

/** Limits of a blueprint and its events, for forms and refusals. */
export const blueprintLimits = {
  ...eventLimits,
  nameLengthMax: 80,
  eventsMax: 200,
  settingSecondsMax: SETTING_SECONDS_MAX,
};

/** The durations that a form offers, in seconds. */
export const offeredDurations = [15, 30, 60, 120];
