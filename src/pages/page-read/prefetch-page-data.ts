import type { Deps } from "#src/base/deps.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { inSpan } from "#src/base/spans.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { isSafeMethod, type RequestContext } from "#src/http/request-context.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import type { NotificationsAnswer } from "#src/people/notifications/schemas.ts";
import { readAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { readSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import { readSessionKey } from "#src/play/find-session-id.ts";
import type { LeadersAnswer } from "#src/play/leaderboard/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { MostWon } from "#src/show/stage/schemas.ts";
import { listOf } from "./begin-list.ts";
import type { PageReads } from "./contract.ts";
import type { SignedInRow } from "./page-read-row.ts";
import { eventsIn, leadersIn, notificationsIn, sessionIn, walletIn } from "./present-shared.ts";
import { type PageRead, readForRequest } from "./read-for-request.ts";

/** What was read for a page before its loaders run. Null: it was not read, and the loaders ask for it. */
export type PageData = {
  /** Of the streams of the viewer and of the page's session; null if there is none or it is unknown. */
  offsets: { user: StreamOffset | null; session: (StreamOffset & { id: number }) | null };
  /** The session that is active, for signed-in viewers; null if none is. */
  active: { id: number; slug: string; name: string } | null;
  /** The names of what is turned off. */
  off: readonly string[] | null;
  frame: { wallet: WalletView; notifications: NotificationsAnswer } | null;
  session: SessionView | null;
  action: ActionData | null;
};
type ActionData = {
  events: EventView[];
  leaders: LeadersAnswer;
  active: { slug: string; name: string } | null;
  /** Added later, with the page of a session that is over. */
  next?: { slug: string; name: string; startsAt: string } | null;
  mostWon?: MostWon | null;
  serverTime: string;
};

/** The routes of a page: what their records say, and the parameters of the address. */
type Matched = { reads: PageReads; params: Readonly<Record<string, string>> };

/** What is being read for a page request; null if nothing is. */
export type PrefetchedRead = Promise<PageRead | null> | null;

/**
 * Begins to read what the record of a page's route says, and its sign-in with it. Call it before the request is authenticated. Of the
 * page that answers a form only the streams' offsets count: its loaders read after the action. Programs with a token get no pages.
 */
export function prefetchPageData(
  deps: Deps,
  context: RequestContext,
  { reads, params }: Matched,
): PrefetchedRead {
  const { request } = context;
  if (readAccessToken(request) !== null) return null;
  const startedAtMs = performance.now();
  const slugOrId = reads.session === undefined ? undefined : params["slug"];
  const key = slugOrId === undefined ? null : readSessionKey(slugOrId);
  const isRead = isSafeMethod(request);
  const isGame = isRead && reads.game === true;
  const parts = { places: true, events: isGame, leaders: isGame };
  const beginList = isRead ? listOf(deps, context, { list: reads.list, slugOrId }) : null;
  const read = inSpan("read page", async () => {
    const signInId = await readSignInCookie(deps.env, request);
    return signInId === null && key === null
      ? null
      : readForRequest(deps, { signInId, key, parts, beginList });
  });
  // Authentication and the loaders await it and handle its errors.
  read.then(
    () => measurePagePart("read", startedAtMs),
    () => undefined,
  );
  context.findSignIn = async () => (await read)?.signIn ?? null;
  return read;
}

const nothingRead: PageData = {
  offsets: { user: null, session: null },
  active: null,
  off: null,
  frame: null,
  session: null,
  action: null,
};

/** What was read for a page request: nothing for a signed-out viewer of a page without a session, and while the database is away. */
export async function pageDataOf(deps: Deps, request: Request, begun: PrefetchedRead): Promise<PageData> {
  const read = (await begun?.catch(() => null)) ?? null;
  if (read === null) return nothingRead;
  const { own } = read;
  const context = { offsets: offsetsIn(read), active: activeIn(read), off: read.answer.off };
  if (!isSafeMethod(request)) return { ...nothingRead, ...context };
  const now = serverNow();
  const session = sessionIn(deps, read);
  return {
    ...context,
    frame: own === null ? null : frameIn(own, now),
    session,
    action: session === null ? null : actionIn(deps, read, now),
  };
}

/** The active session, unless it is not for this viewer. */
function activeIn({ own, signIn, answer }: PageRead): PageData["active"] {
  // A host of the page's session is no admin in the active one.
  return own === null || (own.shutOutOfActive && !isAdmin(signIn?.viewer ?? null)) ? null : answer.active;
}

function offsetsIn({ own, answer: { userOffset, session: seen } }: PageRead): PageData["offsets"] {
  if (own === null) return nothingRead.offsets;
  const session = seen !== null && canWatch(own, seen.seen) ? seen : null;
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

function actionIn(deps: Deps, read: PageRead, now: Date): ActionData | null {
  const { own } = read;
  const events = eventsIn(deps, read, now);
  const leaders = own === null ? noLeaders : leadersIn(deps, read);
  if (events === null || leaders === null) return null;
  const active = activeIn(read);
  return {
    events,
    leaders,
    active: active === null ? null : { slug: active.slug, name: active.name },
    serverTime: now.toISOString(),
  };
}
