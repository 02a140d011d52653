import type { spots } from "#db/schema/events.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { SpotView } from "./schemas.ts";

export type SpotRow = typeof spots.$inferSelect;

/** The JSON of a spot, with the label that its event gives to its side. */
export function presentSpot(spot: SpotRow, labels: { trueLabel: string; falseLabel: string }): SpotView {
  return {
    id: spot.id,
    eventId: spot.eventId,
    side: spot.side,
    label: spot.side === "true" ? labels.trueLabel : labels.falseLabel,
    state: spot.state,
    callsCount: spot.callsCount,
    pool: dollarsOf(spot.poolCents),
    poolCents: spot.poolCents,
    won: spot.won,
    openedAt: spot.openedAt?.toISOString() ?? null,
    closedAt: spot.closedAt?.toISOString() ?? null,
    resolvedAt: spot.resolvedAt?.toISOString() ?? null,
  };
}
