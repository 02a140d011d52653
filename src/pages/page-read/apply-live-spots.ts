import * as v from "valibot";
import { presentPool } from "#src/play/spots/present-pool.ts";
import { presentSpot } from "#src/play/spots/present-spot.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { type SpotTuple, spotTuple } from "./page-read-row.ts";

const spotTuples = v.array(spotTuple);
const date = (time: string | null) => (time === null ? null : new Date(time));

/**
 * The events with the spots that a page read has. Events whose spots are the same stay the same objects.
 * @param liveSpots JSON of the spots of the events without a result.
 */
export function applyLiveSpots(events: readonly EventView[], liveSpots: string): readonly EventView[] {
  const byEvent = Map.groupBy(v.parse(spotTuples, JSON.parse(liveSpots)), ([eventId]) => eventId);
  return events.map((event) => {
    const tuples = byEvent.get(event.id);
    return tuples === undefined ? event : withSpots(event, tuples);
  });
}

function withSpots(event: EventView, tuples: readonly SpotTuple[]): EventView {
  const [trueSpot, falseSpot] = event.spots;
  const spots = [trueSpot, falseSpot].map((spot) => spotFrom(event, spot, tuples));
  if (Bun.deepEquals(spots, event.spots, true)) return event;
  const [onTrue = trueSpot, onFalse = falseSpot] = spots;
  return {
    ...event,
    spots: [onTrue, onFalse],
    pool: presentPool(onTrue.poolCents, onFalse.poolCents),
    callsCount: onTrue.callsCount + onFalse.callsCount,
  };
}

function spotFrom(event: EventView, spot: SpotView, tuples: readonly SpotTuple[]): SpotView {
  const tuple = tuples.find(([, id]) => id === spot.id);
  if (tuple === undefined) return spot;
  const [eventId, id, state, callsCount, poolCents, won, openedAt, closedAt, resolvedAt] = tuple;
  const times = { openedAt: date(openedAt), closedAt: date(closedAt), resolvedAt: date(resolvedAt) };
  return presentSpot({ eventId, id, side: spot.side, state, callsCount, poolCents, won, ...times }, event);
}
