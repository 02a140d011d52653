import * as v from "valibot";
import { moment, rowId } from "#src/http/schemas.ts";
import { reminderWays } from "./contract.ts";

export const reminderSchema = v.object({
  sessionId: rowId,
  slug: v.string(),
  name: v.string(),
  startsAt: moment,
  /** The viewer is reminded of it. */
  isSet: v.boolean(),
  /** How the viewer is reached: by the browsers that show messages, or else by a confirmed address. Null: by neither. */
  way: v.nullable(v.picklist(reminderWays)),
});
export type ReminderView = v.InferOutput<typeof reminderSchema>;
export const reminderAnswer = v.object({ reminder: reminderSchema });
