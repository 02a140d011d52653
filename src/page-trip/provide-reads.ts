import type { Deps } from "#src/base/deps.ts";
import { EVENTS_SHOWN } from "#src/events/contract.ts";
import { LEADERS_DEFAULT } from "#src/leaderboard/contract.ts";
import { knownLeaders } from "#src/leaderboard/list-leaders.ts";
import { knownEvents, knownSession } from "#src/sessions/known-reads.ts";
import { eventsIn, leadersIn, sessionIn } from "./present-shared.ts";
import type { Trip } from "./take-trip.ts";

/**
 * Lets the endpoints of a session answer a request over the API from its trip. What the trip has not read, they query: an unknown
 * session, the events that only admins see, a list that is longer than the snapshot's.
 */
export function provideReads(deps: Deps, request: Request, trip: Promise<Trip | null>): void {
  const tripTo = async (slugOrId: string | undefined) => {
    // While the database is away, the endpoint says so.
    const taken = await trip.catch(() => null);
    return taken?.named.slugOrId === slugOrId ? taken : null;
  };
  knownSession.provide(request, async (slugOrId) => {
    const taken = await tripTo(slugOrId);
    return taken?.named.parts.places === true ? sessionIn(deps, taken) : null;
  });
  knownEvents.provide(request, async ({ slugOrId, now }) => {
    const taken = await tripTo(slugOrId);
    const session = taken?.answer.session?.seen;
    if (taken === null || session === undefined) return null;
    const events = eventsIn(deps, taken, now);
    return events === null || events.length >= EVENTS_SHOWN ? null : { session, events };
  });
  knownLeaders.provide(request, async ({ sessionId, limit }) => {
    const taken = limit > LEADERS_DEFAULT ? null : await tripTo(sessionId);
    const answer = taken === null ? null : leadersIn(deps, taken);
    return answer === null ? null : { ...answer, leaders: answer.leaders.slice(0, limit) };
  });
}
