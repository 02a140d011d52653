import { pathOf } from "#src/http/page-request.ts";
import type { TripNamed } from "./take-trip.ts";

const sessionRead = /^\/api\/v1\/sessions\/([a-z0-9-]+)(\/events)?$/;
const LEADERS_PATH = "/api/v1/scores/leaders";
const leadersQuery = /[?&]session(?:_id|Id)=([a-z0-9-]+)(?:&|$)/;

/**
 * The session that a GET request to the API reads, and what of it; null for all other requests. Names with encoded letters are
 * left to the endpoint.
 */
export function nameRead(request: Request): Omit<TripNamed, "signInId"> | null {
  const path = pathOf(request);
  const [, slugOrId, events] = sessionRead.exec(path) ?? [];
  if (slugOrId !== undefined) {
    const ofEvents = events !== undefined;
    return { slugOrId, parts: { places: !ofEvents, events: ofEvents, leaders: false }, beginList: null };
  }
  const named = path === LEADERS_PATH ? leadersQuery.exec(request.url)?.[1] : undefined;
  return named === undefined
    ? null
    : { slugOrId: named, parts: { places: false, events: false, leaders: true }, beginList: null };
}
