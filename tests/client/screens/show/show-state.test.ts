import { expect, test } from "bun:test";
import { describeLine } from "#client/running-order/describe-line.ts";
import { describeLateMoney } from "#client/screens/show/health/pace-panel.tsx";
import { decidedResult, isFreeToCorrect, listUndoable } from "#client/screens/show/running/on-stage.ts";
import { effectiveChoices } from "#client/screens/show/running/perform-act.ts";
import {
  type ShowState,
  reduceShowState,
  eventsWithPools,
  initialShowState,
  needsRefetch,
  type ShowSnapshot,
} from "#client/screens/show/running/show-state.ts";
import { keepUpWith, type OwnVersions, rememberVersion } from "#client/screens/show/running/use-acting.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { LateMoney, Pace } from "#src/operate/health/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import {
  buildEvent,
  buildSession,
  inSeconds,
  buildPlan,
  NOW_MS,
} from "#tests/client/events/action-states.ts";

const snapshotAt = (seconds: number, changes: Partial<ShowSnapshot> = {}): ShowSnapshot => ({
  session: buildSession(),
  events: [buildEvent({ id: 1 }), buildEvent({ id: 2, state: "closed" })],
  audit: [],
  fetchedAt: inSeconds(seconds),
  ...changes,
});

const poolAt = (seconds: number, eventId: number, total: number): SessionMessage => ({
  sourceType: "Spot",
  eventType: "pool",
  detail: {
    eventId,
    pool: poolOf(total * 100, 0),
    callsCount: total,
    latest: [],
    version: 1,
    serverTime: inSeconds(seconds),
  },
});

const receive = (state: ShowState, message: SessionMessage) =>
  reduceShowState(state, { kind: "message", message });
const totals = (state: ShowState) => eventsWithPools(state).map(({ pool }) => pool.total);

test("a pool is taken from its message while the event is open", () => {
  const state = receive(receive(initialShowState(snapshotAt(0)), poolAt(1, 1, 5)), poolAt(1, 2, 9));
  expect(totals(state)).toEqual([5, 0]);
  expect(eventsWithPools(state)[0]?.callsCount).toBe(5);
});

test("a snapshot that is older than a received pool does not replace it, a newer one does", () => {
  const next = receive(initialShowState(snapshotAt(0)), poolAt(2, 1, 5));
  const early = reduceShowState(next, { kind: "snapshot", snapshot: snapshotAt(1) });
  expect(totals(early)).toEqual([5, 0]);
  const late = reduceShowState(early, { kind: "snapshot", snapshot: snapshotAt(3) });
  expect(totals(late)).toEqual([0, 0]);
});

test("an older snapshot changes nothing, one of another session replaces everything", () => {
  const state = initialShowState(snapshotAt(5));
  const older = snapshotAt(4, { session: buildSession({ name: "Old" }) });
  expect(reduceShowState(state, { kind: "snapshot", snapshot: older })).toBe(state);
  const other = snapshotAt(4, { session: buildSession({ id: 2, name: "Other" }) });
  expect(reduceShowState(state, { kind: "snapshot", snapshot: other }).session.name).toBe("Other");
});

test("an event is as the answer to an act says it, also when a fetch that was under way is older", () => {
  const decided = buildEvent({ id: 2, state: "closed", pendingResult: true, version: 3 });
  const state = reduceShowState(initialShowState(snapshotAt(0)), { kind: "acted", event: decided });
  expect(state.events[1]).toBe(decided);
  const older = reduceShowState(state, { kind: "snapshot", snapshot: snapshotAt(1) });
  expect(older.events[1]).toBe(decided);
  const undecided = buildEvent({ id: 2, state: "closed", version: 4 });
  const newer = snapshotAt(2, { events: [buildEvent({ id: 1 }), undecided] });
  expect(reduceShowState(older, { kind: "snapshot", snapshot: newer }).events[1]).toBe(undecided);
  expect(reduceShowState(state, { kind: "acted", event: buildEvent({ id: 2, version: 2 }) }).events[1]).toBe(
    decided,
  );
});

test("presence is applied at once; pools and presence need no refetch, other messages do", () => {
  const presence: SessionMessage = {
    sourceType: "Presence",
    eventType: "count",
    detail: { playersOnline: 12, version: 0, serverTime: inSeconds(1) },
  };
  const state = receive(initialShowState(snapshotAt(0)), presence);
  expect(state.session.playersOnline).toBe(12);
  expect([presence, poolAt(1, 1, 5)].map(needsRefetch)).toEqual([false, false]);
  const moved: SessionMessage = {
    sourceType: "Event",
    eventType: "open_event",
    detail: { event: buildEvent(), version: 2, serverTime: inSeconds(1) },
  };
  expect(needsRefetch(moved)).toBe(true);
  expect(receive(state, moved)).toBe(state);
});

test("an audit line says who did what, also for acts of the clock", () => {
  const line = {
    id: 1,
    actor: { id: 7, username: "ana", token: null },
    action: "resolve",
    subject: { type: "event" as const, id: 1, title: "Question 1" },
    before: {},
    after: { state: "resolved", result: "true" },
    reason: null,
    at: inSeconds(0),
  };
  expect(describeLine(line)).toBe("ana resolved as true");
  expect(describeLine({ ...line, actor: { ...line.actor, token: "Scoreboard" } })).toBe(
    "ana (Scoreboard) resolved as true",
  );
  expect(describeLine({ ...line, actor: null, action: "close_event" })).toBe("The clock closed");
  expect(describeLine({ ...line, action: "delay", after: { shiftMs: -10_000 } })).toBe(
    "ana delayed by -0:10",
  );
  const tookBack = { state: "paused", takenBackCents: 150 };
  expect(describeLine({ ...line, action: "pause", after: tookBack })).toBe(
    "ana paused the session (own calls of $1.50 taken back)",
  );
  expect(describeLine({ ...line, action: "grow_wings" })).toBe("ana grow wings");
});

const ID = 7;

function formOf(version: number | null): FormData {
  const form = new FormData();
  form.set("event_id", String(ID));
  if (version !== null) form.set("version", String(version));
  return form;
}

/** The viewer's own acts, each with the version that it was based on (null: on any) and the one that it made. */
function afterOwn(...acts: readonly [from: number | null, to: number][]): OwnVersions {
  const own: OwnVersions = new Map();
  for (const [from, to] of acts) rememberVersion(own, formOf(from), { id: ID, version: to });
  return own;
}

/** The version with which a form is sent that still shows this one. */
function sentAs(own: OwnVersions, shown: number): number {
  const form = formOf(shown);
  keepUpWith(own, form);
  return Number(form.get("version"));
}

test("a form with the version before the viewer's own acts is sent with the one after them, and not with what somebody else has changed", () => {
  expect(sentAs(afterOwn([5, 6]), 5)).toBe(6);
  expect(sentAs(afterOwn([5, 7]), 5)).toBe(7);
  expect(sentAs(afterOwn([5, 6], [6, 7]), 5)).toBe(7);
  expect(sentAs(afterOwn([null, 6]), 5)).toBe(6);
  expect(sentAs(afterOwn([7, 8]), 5)).toBe(5);
  expect(sentAs(afterOwn([5, 6], [8, 9]), 5)).toBe(5);
  expect(sentAs(afterOwn([null, 8]), 5)).toBe(5);
  expect(sentAs(afterOwn([5, 6]), 6)).toBe(6);
  expect(sentAs(afterOwn([5, 6]), 9)).toBe(9);
  expect(sentAs(afterOwn(), 5)).toBe(5);
});

const HOST = 7;
const host = { viewerId: HOST, nowMs: NOW_MS };

/** An event whose result was decided so many seconds ago. */
function decided(secondsAgo: number, changes: Partial<EventView>, terms: Partial<EventPlan["decided"]> = {}) {
  const decision = { at: inSeconds(-secondsAgo), byId: HOST, effectiveAt: null, ...terms };
  return buildEvent({ state: "resolved", result: true, plan: buildPlan({ decided: decision }), ...changes });
}

test("a pending result can be undone by every host, however long it waits", () => {
  const pending = { state: "closed", result: null, pendingResult: true } as const;
  const events = [decided(90, { id: 1, ...pending }, { byId: 8 }), decided(2, { id: 2, ...pending })];
  expect(listUndoable(events, host)).toEqual([2, 1]);
});

test("a paid result can be undone for 10 s after its decision by the host who decided it", () => {
  const events = [
    decided(9, { id: 1 }),
    decided(10, { id: 2 }),
    decided(3, { id: 3 }, { byId: 8 }),
    decided(1, { id: 4 }, { byId: null }),
    decided(6, { id: 5, voided: true, result: null }),
    buildEvent({ id: 6, state: "closed" }),
  ];
  expect(listUndoable(events, host)).toEqual([5, 1]);
  expect(isFreeToCorrect(decided(9, {}), { ...host, viewerId: undefined })).toBe(false);
});

test("the result of an event is the pending one before it is paid; none while it is undecided", () => {
  expect(decidedResult(buildEvent())).toBeNull();
  expect(decidedResult(buildEvent({ pendingResult: "void" }))).toBe("void");
  expect(decidedResult(buildEvent({ pendingResult: false }))).toBe("false");
  expect(decidedResult(buildEvent({ result: true }))).toBe("true");
  expect(decidedResult(buildEvent({ voided: true }))).toBe("void");
});

test("another result keeps the effective moment by default, and can have none", () => {
  const labels = ({ closedAt, plan }: EventView) =>
    effectiveChoices({ closedAt, decidedAt: plan?.decided?.effectiveAt ?? null }).map(({ value, label }) => [
      value,
      label,
    ]);
  const closed = { closedAt: inSeconds(-20) };
  expect(labels(buildEvent()).slice(0, 2)).toEqual([
    ["", "All calls"],
    ["5", "-5 s"],
  ]);
  expect(labels(decided(1, closed)).at(0)).toEqual(["", "Close time"]);
  expect(labels(decided(1, closed, { effectiveAt: inSeconds(-25) })).slice(0, 2)).toEqual([
    ["", "As before"],
    ["all", "Close time"],
  ]);
});

const labels = { trueLabel: "Yes", falseLabel: "No" };
const ALARM_SHARE = 0.3;

/** Late money in dollars, of all money. */
function money(late: number, total: number, changes: Partial<LateMoney> = {}): LateMoney {
  return {
    late,
    lateCents: late * 100,
    total,
    totalCents: total * 100,
    share: total === 0 ? 0 : late / total,
    alarm: false,
    tooFew: false,
    ...changes,
  };
}

const told = (yes: LateMoney, no: LateMoney, both: LateMoney): NonNullable<Pace["late"]> => ({
  sides: [
    { side: "true", ...yes },
    { side: "false", ...no },
  ],
  ...both,
  usualShare: null,
  alarmShare: ALARM_SHARE,
});
const tooFew = { tooFew: true };
const alarm = { alarm: true };

type LateCase = {
  of: string;
  late: NonNullable<Pace["late"]>;
  tells: [alarms: string[], unjudged: string[], warn: boolean];
};

test.each<LateCase>([
  {
    of: "too few calls to judge are told with the money of both sides, with a warning if it is much",
    late: told(money(30, 32, tooFew), money(30, 32, tooFew), money(60, 64, tooFew)),
    tells: [[], ["Too few calls to judge: $60 of $64 in the last second"], true],
  },
  {
    of: "a little late money in too few calls is told without a warning",
    late: told(money(1, 10, tooFew), money(0, 10), money(1, 20, tooFew)),
    tells: [[], ["Too few calls to judge: $1 of $20 in the last second"], false],
  },
  {
    of: "where only one side has too few calls, it is named",
    late: told(money(0, 800), money(50, 50, tooFew), money(50, 850)),
    tells: [[], ["Too few calls on No to judge: $50 of $50 in the last second"], true],
  },
  {
    of: "an alarm of both sides together is told where no side has one of its own",
    late: told(money(40, 43), money(20, 23), money(60, 66, alarm)),
    tells: [["91% of the money, $60, came in the last second."], [], true],
  },
  {
    of: "else the alarm of the side",
    late: told(money(40, 43, alarm), money(20, 23), money(60, 66, alarm)),
    tells: [["93% of the money on Yes, $40, came in the last second."], [], true],
  },
  {
    of: "money that came in time is not mentioned",
    late: told(money(1, 100), money(0, 100), money(1, 200)),
    tells: [[], [], false],
  },
])("late money: $of", ({ late, tells }) => {
  const { alarms, unjudged, warn } = describeLateMoney(late, labels);
  expect([alarms, unjudged, warn]).toEqual(tells);
});
