import * as v from "valibot";
import { sides, spotStates } from "#db/lists/spots.ts";
import { cents, dollars, moment, rowId } from "#src/http/schemas.ts";

export const spotSchema = v.object({
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
/** The wagers on the two sides of an event. */
export const poolSchema = v.object({
  true: dollars,
  trueCents: cents,
  false: dollars,
  falseCents: cents,
  total: dollars,
  totalCents: cents,
});
export type PoolView = v.InferOutput<typeof poolSchema>;

export type SpotView = v.InferOutput<typeof spotSchema>;
