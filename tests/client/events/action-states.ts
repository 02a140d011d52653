import * as v from "valibot";
import { type Page, unknownOffsets } from "#client/base/page/page.ts";
import { initialActionState, type ActionState } from "#client/events/action-state.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { sessionSettings, type SessionView } from "#src/show/sessions/schemas.ts";

/** The current time in these tests, and times relative to it. */
export const NOW_MS = Date.parse("2026-11-21T20:14:00.000Z");
export const inSeconds = (seconds: number) => new Date(NOW_MS + seconds * 1_000).toISOString();

export function buildSession(changes: Partial<SessionView> = {}): SessionView {
  return {
    id: 1,
    slug: "derby",
    name: "Derby",
    description: "",
    state: "running",
    active: true,
    rehearsal: false,
    startsAt: null,
    startedAt: inSeconds(-60),
    startLeadSeconds: 0,
    pausedAt: null,
    stoppedAt: null,
    blueprintId: null,
    eventsCount: 3,
    registrationsCount: 2,
    registered: true,
    playersOnline: 2,
    settings: v.parse(sessionSettings, { settlementDelaySeconds: 0 }),
    version: 1,
    ...changes,
  };
}

/** The plan of an event that has no transition ahead. */
export function buildPlan(changes: Partial<EventPlan> = {}): EventPlan {
  return {
    startMode: "after_previous",
    offsetSeconds: 0,
    resolveWithinSeconds: 60,
    autoResult: null,
    nextTransition: null,
    dueAt: null,
    remainingMs: null,
    paying: null,
    decided: null,
    ...changes,
  };
}

export function buildEvent(changes: Partial<EventView> = {}): EventView {
  const id = changes.id ?? 1;
  return {
    id,
    sessionId: 1,
    blueprintEventId: null,
    position: id,
    title: `Question ${id}`,
    description: "",
    trueLabel: "Yes",
    falseLabel: "No",
    state: "open",
    result: null,
    voided: false,
    resultReason: null,
    settlement: null,
    pendingResult: null,
    paysAt: null,
    opensAt: inSeconds(-10),
    openedAt: inSeconds(-10),
    closesAt: inSeconds(20),
    closedAt: null,
    resolveBy: null,
    resolvedAt: null,
    nextStart: null,
    publishedAt: inSeconds(-20),
    createdAt: inSeconds(-60),
    updatedAt: inSeconds(-10),
    durationSeconds: 30,
    minWager: 0.01,
    minWagerCents: 1,
    maxWager: null,
    maxWagerCents: null,
    spots: [buildSpot(id, "true"), buildSpot(id, "false")],
    pool: poolOf(0, 0),
    callsCount: 0,
    myCalls: [],
    plan: null,
    version: 1,
    ...changes,
  };
}

export function buildCall(changes: Partial<CallView> = {}): CallView {
  return {
    id: 1,
    userId: 7,
    eventId: 1,
    spotId: 1,
    sessionId: 1,
    sessionSlug: "derby",
    sessionName: "Derby",
    eventTitle: "Question 1",
    side: "true",
    label: "Yes",
    state: "placed",
    active: true,
    cancellable: true,
    wager: 5,
    wagerCents: 500,
    outcome: null,
    refundedBy: null,
    refundReason: null,
    payout: null,
    payoutCents: null,
    net: null,
    netCents: null,
    placedAt: inSeconds(-3),
    resolvedAt: null,
    ...changes,
  };
}

export function buildActionState(events: EventView[], session: Partial<SessionView> = {}): ActionState {
  return initialActionState({
    session: buildSession(session),
    nextSession: null,
    events,
    leaders: [],
    me: null,
    playersCount: 0,
    asOf: inSeconds(0),
  });
}

export function buildViewer(changes: Partial<ViewerView> = {}): ViewerView {
  return {
    id: 7,
    gid: "gid://called-it/User/7",
    email: "ana@example.test",
    username: "ana",
    avatar: presentAvatar(null),
    roles: [],
    hostOf: [],
    guest: false,
    breakUntil: null,
    ...changes,
  };
}

export function buildPage(): Page {
  return {
    viewer: null,
    csrfToken: "token",
    cableUrl: "/cable",
    activeSession: null,
    theme: "system",
    timeZone: "UTC",
    delaySeconds: 0,
    demo: false,
    streamOffsets: unknownOffsets,
  };
}

/** A wallet with nothing held; the amount in cents. */
export function buildWallet(balanceCents: number, version = 1): WalletView {
  const dollars = balanceCents / 100;
  return {
    id: 1,
    balance: dollars,
    balanceCents,
    availableBalance: dollars,
    availableBalanceCents: balanceCents,
    held: 0,
    heldCents: 0,
    owed: 0,
    owedCents: 0,
    version,
    metrics: {
      wagered: 0,
      wageredCents: 0,
      returned: 0,
      returnedCents: 0,
      net: 0,
      netCents: 0,
      roi: null,
      pending: 0,
      pendingCents: 0,
      callsPlaced: 0,
      won: 0,
      lost: 0,
      refunded: 0,
      winRate: null,
      currentStreak: 0,
      bestStreak: 0,
    },
  };
}

function buildSpot(eventId: number, side: "true" | "false"): SpotView {
  return {
    id: eventId * 10 + (side === "true" ? 1 : 2),
    eventId,
    side,
    label: side === "true" ? "Yes" : "No",
    state: "open",
    callsCount: 0,
    pool: 0,
    poolCents: 0,
    won: null,
    openedAt: null,
    closedAt: null,
    resolvedAt: null,
  };
}

export function buildScore(changes: Partial<ScoreView> = {}): ScoreView {
  const userId = changes.userId ?? 1;
  return {
    id: userId,
    userId,
    username: `player${userId}`,
    avatar: presentAvatar(null),
    sessionId: 1,
    wins: 1,
    losses: 0,
    pushes: 0,
    net: 1,
    netCents: 100,
    roi: 1,
    accuracy: 1,
    currentStreak: 1,
    bestStreak: 1,
    rank: 1,
    tied: false,
    rankChange: null,
    ...changes,
  };
}
