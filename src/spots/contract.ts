import * as v from "valibot";
import { cents, dollars, moment, rowId } from "#src/http/contract.ts";

export const sides = ["true", "false"] as const;
export type Side = (typeof sides)[number];

export const spotStates = ["open", "closed", "soft_destroyed"] as const;
export type SpotState = (typeof spotStates)[number];

export const spotShape = v.object({
  id: rowId,
  eventId: rowId,
  side: v.picklist(sides),
  label: v.string(),
  state: v.picklist(spotStates),
  callsCount: v.number(),
  pool: dollars,
  poolCents: cents,
  /** Null until resolved, and after a void. */
  won: v.nullable(v.boolean()),
  openedAt: v.nullable(moment),
  closedAt: v.nullable(moment),
  resolvedAt: v.nullable(moment),
});
export type SpotView = v.InferOutput<typeof spotShape>;
