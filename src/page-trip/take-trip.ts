import type { Deps } from "#src/base/deps.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { KnownLeaders } from "#src/leaderboard/find-scores.ts";
import { canWatch } from "#src/sessions/require-watcher.ts";
import { acceptSignIn, type FoundSignIn } from "#src/sign-ins/find-sign-in.ts";
import { isAdmin, viewerIn } from "#src/sign-ins/viewer.ts";
import { type AnsweredSession, askInBatch, type Parts, type TripAnswer } from "./ask-in-batch.ts";
import type { BeginList } from "./begin-list.ts";
import { findIds, forgetSlug, type Named } from "./known-ids.ts";
import { snapshotOf } from "./snapshots.ts";
import type { SignedInRow } from "./trip-row.ts";

/** A session that changes faster than it is loaded is left to queries. */
const TRIPS_MAX = 3;

/** What a request names and needs. */
export type TripNamed = Named & { parts: Parts; beginList: BeginList | null };

/** What was read for a request. */
export type Trip = {
  named: TripNamed;
  answer: TripAnswer;
  /** The sign-in of the cookie, valid or not; null if there is none or if it was ended. */
  signIn: FoundSignIn | null;
  /** The row of a valid sign-in; null for everybody else. */
  own: SignedInRow | null;
  /** The parts of the snapshot that were asked for, of the same moment as `own`; null: they are left to queries. */
  shared: SharedParts | null;
};
/** A part that was not asked for is null. Signed-out viewers see no leaders. */
type SharedParts = { events: readonly EventView[] | null; leaders: KnownLeaders | null };
type NamedParts = Pick<Parts, "events" | "leaders">;

/**
 * Reads all that a request needs: usually one round trip to Redis, then one statement. Where the session has changed since this
 * process has loaded it, its snapshot is loaded and the trip is repeated, so that everything in the answer is of one moment.
 * Rejects while the database is away.
 */
export async function takeTrip(deps: Deps, named: TripNamed): Promise<Trip> {
  for (let trips = 1; ; trips += 1) {
    const trip = await takeOnce(deps, named);
    const parts = { events: named.parts.events, leaders: named.parts.leaders && trip.own !== null };
    const shown = parts.events || parts.leaders ? shownTo(trip) : null;
    const shared = shown === null ? null : sharedIn(deps, shown, parts);
    if (shown === null || shared !== null || trips === TRIPS_MAX) return { ...trip, shared };
    await loadShared(deps, shown, parts);
  }
}

type Taken = Omit<Trip, "shared">;

async function takeOnce(deps: Deps, named: TripNamed): Promise<Taken> {
  const answer = await ask(deps, named);
  const { row } = answer;
  if (row.signInId === null) return { named, answer, signIn: null, own: null };
  const signIn = acceptSignIn(deps, row, viewerIn(row));
  return { named, answer, signIn, own: signIn.invalidReason === null ? row : null };
}

/** A slug whose session was deleted is looked up again: another session may have it now. */
async function ask(deps: Deps, named: TripNamed): Promise<TripAnswer> {
  const { signInId, slugOrId, parts, beginList } = named;
  const askNow = async () =>
    askInBatch(deps, { ...(await findIds(deps, named)), signInId, parts, beginList });
  const answer = await askNow();
  return answer.session === null && slugOrId !== null && forgetSlug(deps, slugOrId) ? askNow() : answer;
}

/** The session whose snapshot the viewer may read: admins also see plans, and signed-out viewers only live sessions. */
function shownTo({ own, answer: { session } }: Taken): AnsweredSession | null {
  if (session === null || isAdmin(own)) return null;
  return canWatch(own, session.seen) ? session : null;
}

/** The parts as the trip has seen them; null if one must be loaded first. */
function sharedIn(deps: Deps, { seen, lastEventId }: AnsweredSession, parts: NamedParts): SharedParts | null {
  const snapshot = snapshotOf(deps, seen.id);
  const events = parts.events ? snapshot.events(seen) : null;
  if (parts.events && events === null) return null;
  if (!parts.leaders) return { events, leaders: null };
  const { leaders } = snapshot;
  if (leaders === null || !snapshot.hasLeaders(seen)) return null;
  return leaders.rankings.lastEventId === lastEventId ? { events, leaders } : null;
}

async function loadShared(deps: Deps, { seen }: AnsweredSession, parts: NamedParts): Promise<void> {
  const snapshot = snapshotOf(deps, seen.id);
  await Promise.all([
    parts.events && snapshot.events(seen) === null ? snapshot.loadEvents(deps, seen) : null,
    parts.leaders && !snapshot.hasLeaders(seen) ? snapshot.loadLeaders(deps, seen) : null,
  ]);
}
