import type { Deps } from "#src/base/deps.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { KnownLeaders } from "#src/leaderboard/find-scores.ts";
import { acceptSignIn, type FoundSignIn } from "#src/sign-ins/find-sign-in.ts";
import { isAdmin } from "#src/sign-ins/viewer.ts";
import { type AnsweredSession, askInBatch, type TripAnswer } from "./ask-in-batch.ts";
import { findIds, forgetSlug, type Named } from "./known-ids.ts";
import { viewerIn } from "./present-own.ts";
import { snapshotOf } from "./snapshots.ts";
import type { SignedInRow } from "./trip-row.ts";

/** A session that changes faster than it is loaded is left to the loaders. */
const TRIPS_MAX = 3;

export type PageNamed = Named & {
  /** The page is the session's Action page. */
  isAction: boolean;
};

/** What was read for a page. */
export type Trip = {
  named: PageNamed;
  answer: TripAnswer;
  /** The sign-in of the cookie, valid or not; null if there is none or if it was ended. */
  signIn: FoundSignIn | null;
  /** The row of a valid sign-in; null for everybody else. */
  own: SignedInRow | null;
  /** The public part of the Action page, of the same moment as `own`; null: it is left to the loaders. */
  shared: SharedAction | null;
};
export type SharedAction = { events: readonly EventView[]; leaders: KnownLeaders | null };

/**
 * Reads all that a page needs: usually one round trip to Redis, then one statement. Where the session has changed since this
 * process has loaded it, its snapshot is loaded and the trip is repeated, so that everything on the page is of one moment.
 * Rejects while the database is away.
 */
export async function takeTrip(deps: Deps, named: PageNamed): Promise<Trip> {
  for (let trips = 1; ; trips += 1) {
    const trip = await takeOnce(deps, named);
    const shown = named.isAction ? shownTo(trip) : null;
    const withLeaders = trip.own !== null;
    const shared = shown === null ? null : sharedIn(deps, shown, { withLeaders });
    if (shown === null || shared !== null || trips === TRIPS_MAX) return { ...trip, shared };
    await loadShared(deps, shown, { withLeaders });
  }
}

type Taken = Omit<Trip, "shared">;

async function takeOnce(deps: Deps, named: PageNamed): Promise<Taken> {
  const answer = await ask(deps, named);
  const { row } = answer;
  if (row.signInId === null) return { named, answer, signIn: null, own: null };
  const signIn = acceptSignIn(deps, row, viewerIn(row));
  return { named, answer, signIn, own: signIn.invalidReason === null ? row : null };
}

/** A slug whose session was deleted is looked up again: another session may have it now. */
async function ask(deps: Deps, named: PageNamed): Promise<TripAnswer> {
  const { signInId, slugOrId, isAction } = named;
  const askNow = async () => askInBatch(deps, { ...(await findIds(deps, named)), signInId, isAction });
  const answer = await askNow();
  return answer.session === null && slugOrId !== null && forgetSlug(deps, slugOrId) ? askNow() : answer;
}

/** The session whose snapshot the viewer may read: admins also see plans, and signed-out viewers only live sessions. */
function shownTo({ own, answer: { session } }: Taken): AnsweredSession | null {
  if (session === null || isAdmin(own)) return null;
  return own !== null || isLive(session) ? session : null;
}

/** True for a session that signed-out viewers may watch. */
export function isLive({ seen }: AnsweredSession): boolean {
  return seen.state === "running" || seen.state === "paused";
}

/** The public part as the trip has seen it; null if it must be loaded first. */
function sharedIn(
  deps: Deps,
  { seen, lastEventId }: AnsweredSession,
  { withLeaders }: { withLeaders: boolean },
): SharedAction | null {
  const snapshot = snapshotOf(deps, seen.id);
  const events = snapshot.events(seen);
  if (events === null) return null;
  if (!withLeaders) return { events, leaders: null };
  const { leaders } = snapshot;
  if (leaders === null || !snapshot.hasLeaders(seen)) return null;
  return leaders.rankings.lastEventId === lastEventId ? { events, leaders } : null;
}

async function loadShared(
  deps: Deps,
  { seen }: AnsweredSession,
  { withLeaders }: { withLeaders: boolean },
): Promise<void> {
  const snapshot = snapshotOf(deps, seen.id);
  await Promise.all([
    snapshot.events(seen) === null ? snapshot.loadEvents(deps, seen) : null,
    withLeaders && !snapshot.hasLeaders(seen) ? snapshot.loadLeaders(deps, seen) : null,
  ]);
}
