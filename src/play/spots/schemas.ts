import * as v from "valibot";
import { sides, spotStates } from "#db/lists/spots.ts";
import { moment, money, rowId } from "#src/http/schemas.ts";

export const spotSchema = v.object({
  id: rowId,
  eventId: rowId,
  side: v.picklist(sides),
  label: v.string(),
  state: v.picklist(spotStates),
  callsCount: v.number(),
  ...money("pool"),
  /** Null until resolved, and after a void. */
  won: v.nullable(v.boolean()),
  openedAt: v.nullable(moment),
  closedAt: v.nullable(moment),
  resolvedAt: v.nullable(moment),
});
/** The wagers on the two sides of an event. */
export const poolSchema = v.object(money("true", "false", "total"));

export type SpotView = v.InferOutput<typeof spotSchema>;
