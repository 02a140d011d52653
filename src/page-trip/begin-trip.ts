import type { Deps } from "#src/base/deps.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { inSpan } from "#src/base/spans.ts";
import type { EventView } from "#src/events/schemas.ts";
import { readBearer } from "#src/http/bearer.ts";
import { isPageRequest, pathOf } from "#src/http/page-request.ts";
import type { LeadersAnswer } from "#src/leaderboard/schemas.ts";
import type { NotificationsAnswer } from "#src/notifications/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { findSignInWith } from "#src/sign-ins/authenticate.ts";
import { readSignInCookie } from "#src/sign-ins/sign-in-cookie.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import type { WalletView } from "#src/wallet/schemas.ts";
import { listOf } from "./begin-list.ts";
import { nameRead } from "./name-read.ts";
import { notificationsIn, walletIn } from "./present-own.ts";
import { eventsIn, leadersIn, sessionIn } from "./present-shared.ts";
import { provideReads } from "./provide-reads.ts";
import { takeTrip, type Trip, type TripNamed } from "./take-trip.ts";
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
    /** Added later, with the page of a session that is over. */
    next?: { name: string; startsAt: string } | null;
    serverTime: string;
  };
};

const trips = new WeakMap<Request, Promise<Trip | null>>();

/**
 * Begins to read what a page request needs, its sign-in included, or a read of a session over the API. Call it before the request
 * is authenticated. All other requests are left alone, and those of programs: a trip knows cookies only.
 */
export function beginTrip(deps: Deps, request: Request): void {
  if (request.method !== "GET" || readBearer(request) !== null) return;
  const isPage = isPageRequest(request);
  const named = isPage ? namePage(deps, request) : nameRead(request);
  if (named === null) return;
  const startedAtMs = performance.now();
  const trip = inSpan("trip", () => tripFor(deps, request, named));
  // Authentication and the loaders await the trip and handle its errors.
  trip.then(
    () => isPage && measurePagePart("trip", startedAtMs),
    () => undefined,
  );
  findSignInWith(request, async () => (await trip)?.signIn ?? null);
  if (isPage) trips.set(request, trip);
  else provideReads(deps, request, trip);
}

/** What was read for a page request; null if nothing was begun, or if the database was away. */
export async function readPageData(deps: Deps, request: Request): Promise<PageData | null> {
  const trip = (await trips.get(request)?.catch(() => null)) ?? null;
  return trip === null ? null : pageDataFrom(deps, trip, serverNow());
}

type Unsigned = Omit<TripNamed, "signInId">;

const sessionPath = /^\/sessions\/([a-z0-9-]+)(\/|$)/;

/** The session of a page, and what the page needs of it. */
function namePage(deps: Deps, request: Request): Unsigned {
  const [path, slugOrId = null] = sessionPath.exec(pathOf(request)) ?? [];
  // The big screen shows the same.
  const isAction = [path, `${path}stage`].includes(pathOf(request));
  const parts = { places: true, events: isAction, leaders: isAction };
  return { slugOrId, parts, beginList: listOf(deps, request) };
}

async function tripFor(deps: Deps, request: Request, named: Unsigned): Promise<Trip | null> {
  const signInId = await readSignInCookie(deps.env, request);
  const { slugOrId, parts } = named;
  // Signed-out callers read no leaders.
  const readsSession = slugOrId !== null && (parts.places || parts.events);
  return signInId === null && !readsSession ? null : takeTrip(deps, { ...named, signInId });
}

function pageDataFrom(deps: Deps, trip: Trip, now: Date): PageData {
  const { answer, own, named } = trip;
  const view = sessionIn(deps, trip);
  const session = view === null || named.slugOrId === null ? null : { slug: named.slugOrId, session: view };
  return {
    offsets: offsetsIn(trip),
    active: own === null ? null : answer.active,
    frame: own === null ? null : frameIn(own, now),
    session,
    action: session === null ? null : actionIn(deps, trip, { slug: session.slug, now }),
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

const noLeaders: LeadersAnswer = { leaders: [], me: null, exclusion: null, totalCount: 0 };

function actionIn(deps: Deps, trip: Trip, { slug, now }: { slug: string; now: Date }): PageData["action"] {
  const { own, answer } = trip;
  const events = eventsIn(deps, trip, now);
  const leaders = own === null ? noLeaders : leadersIn(deps, trip);
  if (events === null || leaders === null) return null;
  const active = own === null ? null : answer.active;
  return {
    slug,
    fetched: {
      events,
      leaders,
      active: active === null ? null : { slug: active.slug, name: active.name },
      serverTime: now.toISOString(),
    },
  };
}
