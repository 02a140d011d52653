import { eventLimits } from "#src/events/contract.ts";
import { SETTING_SECONDS_MAX } from "#src/sessions/contract.ts";

/** Bounds of a blueprint and its events, as forms and refusals name them. */
export const blueprintLimits = {
  ...eventLimits,
  nameLengthMax: 80,
  eventsMax: 200,
  settingSecondsMax: SETTING_SECONDS_MAX,
};

/** The durations that a form offers, in seconds. */
export const offeredDurations = [15, 30, 60, 120];

export const limits = blueprintLimits;
