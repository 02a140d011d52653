import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type ActionChange,
  type ActionSnapshot,
  type ActionState,
  reduceActionState,
} from "#client/events/action-state.ts";
import { couldPayCents } from "#client/events/estimate.ts";
import type { Side } from "#db/lists/spots.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildActionState, buildCall, buildEvent, buildSession, inSeconds } from "./action-states.ts";

const serverTime = inSeconds(1);

function eventMessage(event: EventView): SessionMessage {
  return { sourceType: "Event", eventType: "update", detail: { event, version: event.version, serverTime } };
}

type PoolMessage = Extract<SessionMessage, { sourceType: "Spot" }>;

function poolMessage(eventId: number, total: number): PoolMessage {
  return { sourceType: "Spot", eventType: "pool", detail: poolDetail(eventId, total) };
}

function poolDetail(eventId: number, total: number): PoolMessage["detail"] {
  return {
    eventId,
    pool: poolOf(total * 50, total * 50),
    callsCount: total,
    latest: [{ username: "mira_k", side: "true", wager: 10, wagerCents: 1_000 }],
    version: 1,
    serverTime,
  };
}

const receive = (state: ReturnType<typeof buildActionState>, message: SessionMessage) =>
  reduceActionState(state, { kind: "message", message });

test("a newer event replaces the known one and keeps the viewer's calls, which messages do not contain", () => {
  const state = buildActionState([buildEvent({ myCalls: [buildCall()] })]);
  const next = receive(state, eventMessage(buildEvent({ state: "closed", version: 2 })));
  expect(next.events).toMatchObject([{ state: "closed", version: 2, myCalls: [{ id: 1 }] }]);
  expect(next.asOf).toBe(serverTime);
});

test("what was told of an event's calls is told no more once one of them was taken back", () => {
  const state = buildActionState([buildEvent({ id: 1 }), buildEvent({ id: 2 })]);
  const before = [poolMessage(2, 1), poolMessage(1, 3)].reduce(receive, state);
  const fewer = { ...poolMessage(1, 2), detail: { ...poolDetail(1, 2), latest: [] } };
  expect(receive(before, fewer).feed.map(({ eventId }) => eventId)).toEqual([2]);
  expect(receive(before, poolMessage(1, 4)).feed.map(({ eventId }) => eventId)).toEqual([2, 1, 1]);
});

test("a new event is inserted by position, a hidden one is removed", () => {
  const state = buildActionState([buildEvent({ id: 1 }), buildEvent({ id: 3 })]);
  const more = receive(state, eventMessage(buildEvent({ id: 2 })));
  expect(more.events.map(({ id }) => id)).toEqual([1, 2, 3]);
  const less = receive(more, eventMessage(buildEvent({ id: 1, state: "hidden", version: 2 })));
  expect(less.events.map(({ id }) => id)).toEqual([2, 3]);
});

test("a pool changes the open event only, and its calls are added to the feed with their event", () => {
  const state = buildActionState([
    buildEvent({ id: 1 }),
    buildEvent({ id: 2, state: "resolved", result: true }),
  ]);
  const next = receive(receive(state, poolMessage(1, 20)), poolMessage(2, 30));
  expect(next.events.map(({ pool }) => pool.total)).toEqual([20, 0]);
  expect(next.feed.map(({ id, eventId }) => id * 10 + eventId)).toEqual([11, 22]);
  const skipped = receive(next, eventMessage(buildEvent({ id: 1, state: "hidden", version: 9 })));
  expect(skipped.feed.map(({ label }) => label)).toEqual(["Yes", "Yes"]);
});

test("a session keeps the viewer's registration, which messages do not contain", () => {
  const session = { ...buildSession({ state: "stopped", version: 2 }), registered: false };
  const next = receive(buildActionState([]), {
    sourceType: "Session",
    eventType: "stop",
    detail: { session, version: 2, serverTime },
  });
  expect(next.session).toMatchObject({ state: "stopped", registered: true });
});

const hear = (state: ActionState, call: CallView, asOf = inSeconds(0)) =>
  reduceActionState(state, { kind: "call", call, asOf });
const callsIn = ({ events }: ActionState) => events.flatMap(({ myCalls }) => myCalls);
const placed = buildCall();
const taken = buildCall({ state: "soft_destroyed", active: false });

test("the viewer's calls: a call that is taken back disappears, and no later answer or message brings it back", () => {
  const state = hear(hear(buildActionState([buildEvent()]), placed), taken);
  expect(callsIn(state)).toEqual([]);
  expect(callsIn(hear(state, placed, inSeconds(9)))).toEqual([]);
  expect(callsIn(hear(hear(buildActionState([buildEvent()]), taken), placed))).toEqual([]);
});

test("the viewer's calls: a corrected outcome replaces the older one, in any order", () => {
  const [won, lost] = (["won", "lost"] as const).map((outcome) => buildCall({ state: "resolved", outcome }));
  if (won === undefined || lost === undefined) throw new Error("no calls");
  const state = buildActionState([buildEvent({ state: "resolved", result: true })]);
  const inOrder = hear(hear(state, won, inSeconds(1)), lost, inSeconds(2));
  const reversed = hear(hear(state, lost, inSeconds(2)), won, inSeconds(1));
  expect([callsIn(inOrder), callsIn(reversed)]).toEqual([[lost], [lost]]);
});

test("a call on an event that this page does not know yet is added when the event arrives", () => {
  const state = hear(buildActionState([]), placed);
  expect(callsIn(receive(state, eventMessage(buildEvent())))).toEqual([placed]);
});

test("a call of another session is left out", () => {
  const state = buildActionState([buildEvent()]);
  expect(hear(state, buildCall({ sessionId: 2 }))).toEqual(state);
});

test("the calls of a round that was reset do not return with the next round", () => {
  const state = buildActionState([buildEvent({ myCalls: [buildCall({ state: "resolved" })] })]);
  const reset = receive(state, eventMessage(buildEvent({ state: "draft", openedAt: null, version: 2 })));
  const again = receive(reset, eventMessage(buildEvent({ openedAt: inSeconds(2), version: 3 })));
  expect(callsIn(again)).toEqual([]);
  const next = buildCall({ id: 2, placedAt: inSeconds(3) });
  expect(callsIn(hear(again, next))).toEqual([next]);
});

function snapshotOf(events: EventView[], session = buildSession()): ActionSnapshot {
  return { session, nextSession: null, events, leaders: [], me: null, playersCount: 0, asOf: serverTime };
}

const load = (state: ReturnType<typeof buildActionState>, events: EventView[]) =>
  reduceActionState(state, { kind: "snapshot", snapshot: snapshotOf(events) });

test("a refetched snapshot adds what was missed and keeps what is newer", () => {
  const state = buildActionState([buildEvent({ id: 1, state: "resolved", result: true, version: 5 })]);
  const loaded = reduceActionState(state, {
    kind: "snapshot",
    snapshot: snapshotOf([buildEvent({ id: 1, version: 4, myCalls: [buildCall()] }), buildEvent({ id: 2 })]),
  });
  expect(loaded.events).toMatchObject([{ id: 1, version: 5, myCalls: [{ id: 1 }] }, { id: 2 }]);
});

test("a refetched snapshot of another session replaces the whole state", () => {
  const state = receive(buildActionState([buildEvent()]), poolMessage(1, 10));
  const other = reduceActionState(state, {
    kind: "snapshot",
    snapshot: snapshotOf([], buildSession({ id: 2 })),
  });
  expect(other).toMatchObject({ session: { id: 2 }, events: [], feed: [] });
});

test("a refetched snapshot keeps an event that was published after it, and drops one that was removed before it", () => {
  const after = buildEvent({ id: 2, updatedAt: inSeconds(2) });
  const before = buildEvent({ id: 3, updatedAt: inSeconds(0) });
  const loaded = load(buildActionState([buildEvent({ id: 1 }), after, before]), [buildEvent({ id: 1 })]);
  expect(loaded.events.map(({ id }) => id)).toEqual([1, 2]);
});

test("a refetched snapshot keeps a call that is newer, and drops one that was cancelled elsewhere", () => {
  const state = buildActionState([buildEvent({ myCalls: [buildCall({ id: 1 })] })]);
  const later = buildCall({ id: 2 });
  const heard = reduceActionState(state, { kind: "call", call: later, asOf: inSeconds(2) });
  expect(load(heard, [buildEvent()]).events[0]?.myCalls).toEqual([later]);
});

test("a changed result counts as a correction, by message or by snapshot; a first one, or the same again, does not", () => {
  const resolved = buildEvent({ state: "resolved", result: true, version: 2 });
  const corrected = { ...resolved, result: false, version: 3 };
  const state = buildActionState([resolved]);
  expect(receive(state, eventMessage(corrected)).corrected).toEqual([1]);
  const loaded = reduceActionState(state, { kind: "snapshot", snapshot: snapshotOf([corrected]) });
  expect(loaded.corrected).toEqual([1]);
  const first = receive(buildActionState([buildEvent()]), eventMessage(resolved));
  expect(receive(first, eventMessage({ ...resolved, version: 3 })).corrected).toEqual([]);
});

test("a viewer who may not watch any more sees what everybody reads of the session, with its known events", () => {
  const state = buildActionState([buildEvent()]);
  for (const now of ["stopped", "pending"] as const) {
    const session = { ...state.session, state: now };
    const unwatched = reduceActionState(state, { kind: "unwatched", session });
    expect([unwatched.session, unwatched.events]).toEqual([session, state.events]);
  }
});

/** A call at a second of the show, and when it was taken back. */
type Placed = {
  id: number;
  at: number;
  takenAt: number | null;
  side: Side;
  wagerCents: number;
  isOwn: boolean;
};

const EVENT_ID = 1;
const END = 40;

const placedCall = fc
  .record({
    at: fc.integer({ min: 1, max: END }),
    lastsFor: fc.option(fc.integer({ min: 1, max: END })),
    side: fc.constantFrom<Side>("true", "false"),
    wagerCents: fc.integer({ min: 1, max: 5_000 }),
    isOwn: fc.boolean(),
  })
  .map(({ lastsFor, ...call }) => ({ ...call, takenAt: lastsFor === null ? null : call.at + lastsFor }));

const isIn = ({ at, takenAt }: Placed, second: number) =>
  at <= second && (takenAt === null || takenAt > second);

/** The pool as the server counts it at a second. */
function countAt(calls: readonly Placed[], second: number) {
  const counted = calls.filter((call) => isIn(call, second));
  const sum = (side: Side) =>
    counted.reduce((cents, call) => (call.side === side ? cents + call.wagerCents : cents), 0);
  return { pool: poolOf(sum("true"), sum("false")), callsCount: counted.length };
}

function viewOf({ id, at, side, wagerCents }: Placed, isTaken = false): CallView {
  const state = isTaken ? "soft_destroyed" : "placed";
  return buildCall({ id, side, wagerCents, placedAt: inSeconds(at), state, active: !isTaken });
}

function poolChange(calls: readonly Placed[], second: number): ActionChange {
  const detail = { eventId: EVENT_ID, ...countAt(calls, second), latest: [], version: 1 };
  return {
    kind: "message",
    message: { sourceType: "Spot", eventType: "pool", detail: { ...detail, serverTime: inSeconds(second) } },
  };
}

function snapshotChange(calls: readonly Placed[], second: number): ActionChange {
  const own = calls.filter((call) => call.isOwn && isIn(call, second)).map((call) => viewOf(call));
  const event = buildEvent({ id: EVENT_ID, ...countAt(calls, second), myCalls: own });
  return {
    kind: "snapshot",
    snapshot: {
      session: buildSession(),
      nextSession: null,
      events: [event],
      leaders: [],
      me: null,
      playersCount: 0,
      asOf: inSeconds(second),
    },
  };
}

/** What the page hears of the own calls: the answers, and the messages some time after them. */
function ownChanges(calls: readonly Placed[]): ActionChange[] {
  return calls
    .filter(({ isOwn }) => isOwn)
    .flatMap((call) => {
      const hear = (isTaken: boolean, at: number): ActionChange => ({
        kind: "call",
        call: viewOf(call, isTaken),
        asOf: inSeconds(at),
      });
      const { at, takenAt } = call;
      const taken = takenAt === null ? [] : [hear(true, takenAt), hear(true, takenAt)];
      return [hear(false, at), hear(false, at + 3), ...taken];
    });
}

/**
 * The pool that the page is to show: the last count that it has, with the own calls as the page knows them, and not as they were counted.
 * Null where it has not heard yet what is in the count: that a call was taken back.
 */
function expectedPool(state: ActionState, calls: readonly Placed[]) {
  const countedAt = Date.parse(state.pools[EVENT_ID]?.at ?? "");
  const second = (countedAt - Date.parse(inSeconds(0))) / 1_000;
  const known = new Set(state.ownCalls.map(({ call }) => call.id));
  const active = new Set(state.events[0]?.myCalls.map(({ id }) => id));
  const isBehind = ({ id, takenAt }: Placed) => active.has(id) && takenAt !== null && takenAt <= second;
  if (calls.some(isBehind)) return null;
  const shown = calls.filter((call) => (known.has(call.id) ? active.has(call.id) : isIn(call, second)));
  const sum = (side: Side) =>
    shown.reduce((all, call) => all + (call.side === side ? call.wagerCents : 0), 0);
  return { pool: poolOf(sum("true"), sum("false")), callsCount: shown.length };
}

const show = fc.record({
  calls: fc
    .array(placedCall, { maxLength: 8 })
    .map((all) => all.map((call, index) => ({ ...call, id: index + 1 }))),
  counts: fc.array(fc.integer({ min: 0, max: END }), { maxLength: 6 }),
  snapshots: fc.array(fc.integer({ min: 0, max: END }), { maxLength: 3 }),
  order: fc.infiniteStream(fc.nat()),
});

test("in every order of answers, messages and snapshots own calls are in the pool once, and no call promises more than the pot", () => {
  fc.assert(
    fc.property(show, ({ calls, counts, snapshots, order }) => {
      const changes = [
        ...ownChanges(calls),
        ...counts.map((second) => poolChange(calls, second)),
        ...snapshots.map((second) => snapshotChange(calls, second)),
      ];
      let state = buildActionState([buildEvent({ id: EVENT_ID })]);
      for (const change of shuffled(changes, order)) {
        state = reduceActionState(state, change);
        const [event] = state.events;
        if (event === undefined) throw new Error("The event is gone.");
        const expected = expectedPool(state, calls);
        if (expected !== null) expect(event).toMatchObject(expected);
        for (const side of ["true", "false"] as const) {
          const ownCents = event.myCalls.reduce(
            (all, call) => all + (call.side === side ? call.wagerCents : 0),
            0,
          );
          expect(couldPayCents(event.pool, side, { ownCents })).toBeLessThanOrEqual(event.pool.totalCents);
        }
      }
      // The last pool has everything, and nothing twice.
      const last = reduceActionState(state, poolChange(calls, 2 * END + 9));
      expect(last.events[0]?.pool).toEqual(countAt(calls, 2 * END + 9).pool);
    }),
  );
});

function shuffled<Item>(items: readonly Item[], order: Iterator<number>): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Number(order.next().value) % left.length, 1));
}
