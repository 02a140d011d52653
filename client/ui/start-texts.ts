import type { StartMode } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";

/** What the start modes of an action mean, for hosts. */
export const startHint = labelsOf<StartMode>({
  after_previous: "The wait counts from the close of the action before it.",
  offset: "The offset counts from the start of the session.",
  after_result: "The wait counts from the result of the action before it: paid, void or skipped.",
  by_hand: "It opens when you advance to it in the control room.",
});
