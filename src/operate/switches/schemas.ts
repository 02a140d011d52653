import * as v from "valibot";
import { switchNames } from "#db/lists/switches.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { moment, textBlock } from "#src/http/schemas.ts";

export const switchSchema = v.object({
  name: v.picklist(switchNames),
  on: v.boolean(),
  /** When it was turned off; null while it is on, and where a setting closes it. */
  offSince: v.nullable(moment),
  /** The setting that closes it, whatever the switch says; null: none. */
  setting: v.nullable(v.string()),
});
export type SwitchView = v.InferOutput<typeof switchSchema>;

export const switchesAnswer = v.object({
  switches: v.array(switchSchema),
  registration: v.picklist(["open", "invited", "off"]),
});
export type SwitchesAnswer = v.InferOutput<typeof switchesAnswer>;

export const changeSwitchBody = v.strictObject({
  on: v.boolean(),
  reason: v.optional(textBlock(REASON_LENGTH_MAX)),
});
