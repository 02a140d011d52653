import type { Deps } from "#src/base/deps.ts";
import type { EventView } from "#src/events/schemas.ts";
import { isPageRequest, pathOf } from "#src/http/page-request.ts";
import { rankScore } from "#src/leaderboard/find-scores.ts";
import type { LeadersAnswer, ScoreView } from "#src/leaderboard/schemas.ts";
import type { NotificationsAnswer } from "#src/notifications/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { findSignInWith } from "#src/sign-ins/authenticate.ts";
import { readSignInCookie } from "#src/sign-ins/sign-in-cookie.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import type { WalletView } from "#src/wallet/schemas.ts";
import { notificationsIn, walletIn, withOwnCalls } from "./present-own.ts";
import { snapshotOf } from "./snapshots.ts";
import { isLive, takeTrip, type Trip } from "./take-trip.ts";
import type { SignedInRow } from "./trip-row.ts";

/** What was read for a page before its loaders run. Null: it was not read, and the loaders ask for it. */
export type PageData = {
  /** Of the streams of the viewer and of the page's session; null if there is none or it is unknown. */
  offsets: { user: StreamOffset | null; session: (StreamOffset & { id: number }) | null };
  /** The session that is active, for signed-in viewers; null if none is. */
  active: { id: number; slug: string; name: string } | null;
  frame: { wallet: WalletView; notifications: NotificationsAnswer } | null;
  /** With the slug as it is in the address. */
  session: { slug: string; session: SessionView } | null;
  action: ActionPart | null;
};
type ActionPart = {
  slug: string;
  fetched: {
    events: EventView[];
    leaders: LeadersAnswer;
    active: { slug: string; name: string } | null;
    serverTime: string;
  };
};

const trips = new WeakMap<Request, Promise<Trip | null>>();

/**
 * Begins to read what a page request needs, its sign-in included. Call it before the request is authenticated. Requests for
 * anything but a page are left alone.
 */
export function beginTrip(deps: Deps, request: Request): void {
  if (request.method !== "GET" || !isPageRequest(request)) return;
  const trip = tripFor(deps, request);
  // Whoever needs it awaits it.
  trip.catch(() => undefined);
  trips.set(request, trip);
  findSignInWith(request, async () => (await trip)?.signIn ?? null);
}

/** What was read for a page request; null if nothing was begun, or if the database was away. */
export async function readPageData(deps: Deps, request: Request): Promise<PageData | null> {
  const trip = (await trips.get(request)?.catch(() => null)) ?? null;
  return trip === null ? null : pageDataFrom(deps, trip, new Date());
}

const sessionPath = /^\/sessions\/([a-z0-9-]+)(\/|$)/;

async function tripFor(deps: Deps, request: Request): Promise<Trip | null> {
  const [path, slugOrId = null] = sessionPath.exec(pathOf(request)) ?? [];
  const signInId = await readSignInCookie(deps.env, request);
  if (signInId === null && slugOrId === null) return null;
  return takeTrip(deps, { signInId, slugOrId, isAction: path === pathOf(request) });
}

function pageDataFrom(deps: Deps, trip: Trip, now: Date): PageData {
  const { answer, own } = trip;
  const session = sessionIn(deps, trip);
  return {
    offsets: offsetsIn(trip),
    active: own === null ? null : answer.active,
    frame: own === null ? null : frameIn(own, now),
    session,
    action: session === null ? null : actionIn(trip, session, now),
  };
}

function offsetsIn({ own, answer: { userOffset, session } }: Trip): PageData["offsets"] {
  if (own === null) return { user: null, session: null };
  const offset = session?.offset ?? null;
  return {
    user: userOffset,
    session: session === null || offset === null ? null : { ...offset, id: session.seen.id },
  };
}

function frameIn(own: SignedInRow, now: Date): PageData["frame"] {
  const wallet = walletIn(own);
  return wallet === null ? null : { wallet, notifications: notificationsIn(own, now) };
}

/** Signed-out viewers read live sessions only. */
function sessionIn(deps: Deps, { named, own, answer: { session } }: Trip): PageData["session"] {
  if (session === null || named.slugOrId === null) return null;
  if (own === null && !isLive(session)) return null;
  const counts = { registered: own?.registered ?? false, playersOnline: session.playersOnline };
  return {
    slug: named.slugOrId,
    session: snapshotOf(deps, session.seen.id).session(session.seen, counts),
  };
}

const noLeaders: LeadersAnswer = { leaders: [], me: null, exclusion: null, totalCount: 0 };

function actionIn(
  { own, shared, answer: { active } }: Trip,
  { slug, session }: NonNullable<PageData["session"]>,
  now: Date,
): PageData["action"] {
  if (shared === null) return null;
  const serverTime = now.toISOString();
  if (own === null) {
    const watched = { events: [...shared.events], leaders: noLeaders, active: null, serverTime };
    return { slug, fetched: watched };
  }
  const { leaders: known } = shared;
  if (known === null) return null;
  const { leaders, totalCount, rankings } = known;
  const me = own.exclusion === null ? scoreIn(own, { rankings, sessionId: session.id }) : null;
  return {
    slug,
    fetched: {
      events: withOwnCalls(shared.events, { row: own, session, now }),
      leaders: { leaders, me, exclusion: own.exclusion, totalCount },
      active: active === null ? null : { slug: active.slug, name: active.name },
      serverTime,
    },
  };
}

type Board = { rankings: Parameters<typeof rankScore>[0]; sessionId: number };

function scoreIn(own: SignedInRow, { rankings, sessionId }: Board): ScoreView | null {
  if (own.played === null) return null;
  const { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents } = own;
  const sums = { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents };
  const player = { userId: Number(own.userId), username: own.username, avatar: own.avatar };
  return rankScore(rankings, { sessionId, player, sums });
}
