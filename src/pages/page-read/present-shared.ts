import type { Deps } from "#src/base/deps.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { presentWallet } from "#src/money/wallet/find-wallet-view.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { NOTIFICATIONS_LOADED } from "#src/people/notifications/contract.ts";
import { presentNotification } from "#src/people/notifications/find-notifications.ts";
import type { NotificationsAnswer } from "#src/people/notifications/schemas.ts";
import { presentCall } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { rankScore, noteForGuests } from "#src/play/leaderboard/find-scores.ts";
import type { LeadersAnswer, ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { CallTuple, NotificationTuple, PageReadRow, SignedInRow } from "./page-read-row.ts";
import type { PageRead } from "./read-for-request.ts";
import { snapshotOf } from "./session-snapshot.ts";

/** The session of a page read as its viewer sees it; null if there is none, or if a signed-out viewer may not watch it. */
export function sessionIn(deps: Deps, { own, answer: { session } }: PageRead): SessionView | null {
  if (session === null || !canWatch(own, session.seen)) return null;
  const { seen, playersOnline } = session;
  return snapshotOf(deps, seen.id).session(seen, { registered: own?.registered ?? false, playersOnline });
}

/** The published events of the session with the viewer's own calls; null if they were not read. */
export function eventsIn(
  deps: Deps,
  { own, shared, answer: { session } }: PageRead,
  now: Date,
): EventView[] | null {
  const events = shared?.events ?? null;
  if (session === null || events === null) return null;
  if (own === null) return [...events];
  const columns = snapshotOf(deps, session.seen.id).columns(session.seen);
  return withOwnCalls(events, { row: own, session: columns, now });
}

/** The leaders of the session with the viewer's own score; null if they were not read. */
export function leadersIn(
  { env }: Pick<Deps, "env">,
  { own, shared, answer: { session } }: PageRead,
): LeadersAnswer | null {
  const known = shared?.leaders ?? null;
  if (own === null || session === null || known === null) return null;
  const { leaders, totalCount, rankings } = known;
  const exclusion = own.exclusion ?? noteForGuests(env, own);
  const me = exclusion === null ? scoreIn(own, { rankings, sessionId: session.seen.id }) : null;
  return { leaders, me, exclusion, totalCount };
}

type Board = { rankings: Parameters<typeof rankScore>[0]; sessionId: number };

function scoreIn(own: SignedInRow, { rankings, sessionId }: Board): ScoreView | null {
  if (own.played === null) return null;
  const { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents } = own;
  const sums = { played, wins, losses, netCents, wageredCents, currentStreak, bestStreak, lastNetCents };
  const player = { userId: Number(own.userId), username: own.username, avatar: own.avatar };
  return rankScore(rankings, { sessionId, player, sums });
}

/** The viewer's wallet; null without one. */
export function walletIn(row: PageReadRow): WalletView | null {
  if (row.accountId === null) return null;
  return presentWallet(row, {
    wageredCents: row.totalWageredCents,
    returnedCents: row.totalReturnedCents,
    callsCount: row.totalCalls,
    wins: row.totalWins,
    losses: row.totalLosses,
    refunded: row.totalRefunded,
    currentStreak: row.totalStreak,
    bestStreak: row.totalBestStreak,
  });
}

export function notificationsIn(row: SignedInRow, now: Date): NotificationsAnswer {
  const page = { page: 1, perPage: NOTIFICATIONS_LOADED, offset: 0 };
  const meta = listMeta(page, row.notificationsCount, now);
  return {
    notifications: (row.newest ?? []).map(notificationFrom),
    meta: { ...meta, unreadCount: row.unreadCount },
  };
}

function notificationFrom([id, kind, title, body, url, readAt, createdAt]: NotificationTuple) {
  const times = { readAt: readAt === null ? null : new Date(readAt), createdAt: new Date(createdAt) };
  return presentNotification({ id, kind, title, body, url, ...times });
}

function withOwnCalls(
  events: readonly EventView[],
  { row, session, now }: { row: SignedInRow; session: SessionOfCalls; now: Date },
): EventView[] {
  const byEvent = Map.groupBy(row.calls ?? [], ([, eventId]) => eventId);
  return events.map((event) => {
    const tuples = byEvent.get(event.id);
    if (tuples === undefined) return event;
    const userId = Number(row.userId);
    return { ...event, myCalls: tuples.map((tuple) => callFrom(tuple, { userId, event, session, now })) };
  });
}

/** What a call shows of its session. */
type SessionOfCalls = Pick<SessionView, "id" | "slug" | "name" | "pausedAt">;
function refundReasonOf({ voided, spots }: EventView, spotId: number): CallView["refundReason"] {
  if (voided) return "void";
  if (spots.some(({ id, poolCents }) => id !== spotId && poolCents > 0)) return null;
  return spots.some(({ id, won }) => id === spotId && won === true) ? "no_loser" : "no_winner";
}

function callFrom(
  [id, eventId, spotId, state, wagerCents, payoutCents, outcome, placedAt]: CallTuple,
  { userId, event, session, now }: { userId: number; event: EventView; session: SessionOfCalls; now: Date },
): CallView {
  const dateOf = (time: string | null) => (time === null ? null : new Date(time));
  const row = {
    id,
    userId,
    eventId,
    spotId,
    state,
    wagerCents,
    outcome,
    payoutCents,
    // Calls that were taken back are not among those of the event.
    refundedBy: null,
    refundReason: outcome === "refunded" ? refundReasonOf(event, spotId) : null,
    placedAt: new Date(placedAt),
    side: event.spots[0].id === spotId ? event.spots[0].side : event.spots[1].side,
    eventTitle: event.title,
    eventState: event.state,
    trueLabel: event.trueLabel,
    falseLabel: event.falseLabel,
    closesAt: dateOf(event.closesAt),
    resolvedAt: dateOf(event.resolvedAt),
    sessionId: session.id,
    sessionSlug: session.slug,
    sessionName: session.name,
    sessionPausedAt: dateOf(session.pausedAt),
  };
  return presentCall(row, now);
}
