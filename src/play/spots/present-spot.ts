import type { spots } from "#db/schema/events.ts";
import { present } from "#src/http/present.ts";
import { spotSchema, type SpotView } from "./schemas.ts";

export type SpotRow = typeof spots.$inferSelect;

/** The JSON of a spot, with the label that its event gives to its side. */
export function presentSpot(spot: SpotRow, labels: { trueLabel: string; falseLabel: string }): SpotView {
  return present(spotSchema, {
    ...spot,
    label: spot.side === "true" ? labels.trueLabel : labels.falseLabel,
  });
}
