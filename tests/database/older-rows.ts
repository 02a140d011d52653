import type { Fact } from "#src/base/outbox/write-fact.ts";

/*
 * JSON as release 0.1.0 wrote it. A key that is added later does not go in here: that is what the rows of that release are without.
 */

export const picture = { key: "0".repeat(40), width: 640, height: 360, alt: "A bridge" };

export const avatar = {
  revision: 3,
  signer: "k1",
  blobIds: { thumb: 1, small: 2, medium: 3, large: 4, original: 5 },
  pictures: { thumb: "/t.webp", small: "/s.webp", medium: "/m.webp", large: "/l.webp", original: "/o.webp" },
};

export const sessionEntry = {
  name: "Friday night",
  state: "running",
  active: true,
  settings: {},
  startsAt: null,
  startedAt: "2026-11-20T20:00:00.123456+00:00",
  pausedAt: null,
  stoppedAt: null,
};

export const eventEntry = {
  position: 1,
  title: "Will it rain?",
  trueLabel: "Yes",
  falseLabel: "No",
  state: "open",
  round: 1,
  result: null,
  resultReason: null,
  pendingResult: null,
  effectiveAt: null,
  durationSeconds: 20,
  publishedAt: "2026-11-20T20:00:00+00:00",
  opensAt: null,
  openedAt: "2026-11-20T20:00:05+00:00",
  closesAt: null,
  closedAt: null,
  resolvedAt: null,
};

export const findings = [
  {
    name: "journals that do not balance",
    bad: 1,
    rows: [{ label: "Journal 7", detail: "", userId: 1, eventId: null, callId: null, sessionSlug: null }],
  },
];

export const letter = { subject: "Hello", text: "Hello", html: "<p>Hello</p>" };

export const options = { seed: 7, players: 8, skew: 60, latencyMs: 400, lateTaps: 20 };

export const plan = {
  name: "Friday night",
  settings: { leadSeconds: 5 },
  events: [
    {
      title: "Will it rain?",
      description: "",
      trueLabel: "Yes",
      falseLabel: "No",
      startMode: "after_previous",
      offsetSeconds: 5,
      durationSeconds: 20,
      resolveWithinSeconds: 30,
      minWagerCents: 1,
      maxWagerCents: null,
      autoResult: null,
    },
  ],
};

export const report = {
  blueprint: { name: "Friday night", eventsCount: 1 },
  options,
  summary: {
    lengthMs: 60_000,
    tapsCount: 8,
    callsCount: 8,
    lateCount: 0,
    refusedCount: 0,
    wageredCents: 800,
    paidCents: 800,
    refundedCents: 0,
    ledgerSumCents: 0,
  },
  invariants: [{ name: "books", holds: true, violations: [] }],
  rushed: [{ rule: "little_time_to_read", event: 1, measured: 10, wanted: 20 }],
  timeline: [{ atMs: 0, what: "session_started", event: null }],
  events: [
    {
      event: 1,
      title: "Will it rain?",
      trueLabel: "Yes",
      falseLabel: "No",
      visibleAtMs: 0,
      openedAtMs: 5_000,
      closedAtMs: 25_000,
      resolvedAtMs: 30_000,
      paidAtMs: 30_000,
      result: "true",
      true: { wageredCents: 400, callsCount: 4 },
      false: { wageredCents: 400, callsCount: 4 },
      paidCents: 800,
      refundedCents: 0,
      tapsCount: 8,
      lateCount: 0,
      refusedCount: 0,
    },
  ],
  players: [
    {
      player: 1,
      grantedCents: 10_000,
      wageredCents: 100,
      paidCents: 200,
      balanceCents: 10_100,
      callsCount: 1,
      wonCount: 1,
      lateCount: 0,
    },
  ],
  calls: [],
};

/** A payload of each kind of fact. A kind without one does not compile. */
export const payloads: Record<Fact["kind"], object> = {
  calls_placed: { callIds: [1, 2] },
  call_cancelled: { callId: 1 },
  event_settled: { eventId: 1, settlementId: 1, round: 1 },
  wallet_changed: { userId: 1 },
  avatar_changed: { userId: 1 },
  notifications_created: { notificationIds: [1] },
  notifications_read: { userId: 1, upToId: 7 },
  event_changed: { eventId: 1, change: "close_event" },
  session_changed: { sessionId: 1, change: "start" },
  leaders_changed: { sessionId: 1 },
  message_created: { messageId: 1 },
  message_changed: { messageId: 1 },
  message_destroyed: { messageId: 1 },
  session_destroyed: { sessionId: 1, version: 2 },
  rest_of_settlement: { eventId: 1, round: 1, after: { eventId: 1, userId: 1, callId: 1 } },
  rest_of_close: { eventIds: [1], after: { eventId: 1, userId: 1, callId: 1 } },
  rest_of_notifications: { notificationIds: [1] },
};

/** What a stop has ended. */
export const beforeStop = {
  pausedAt: null,
  active: true,
  unopened: [{ id: 7, draft: true, timed: true }],
  undecided: [6],
};
