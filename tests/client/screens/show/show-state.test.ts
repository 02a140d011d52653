import { expect, test } from "bun:test";
import {
  type ShowState,
  reduceShowState,
  eventsWithPools,
  initialShowState,
  needsRefetch,
  type ShowSnapshot,
} from "#client/screens/show/show-state.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { presentPool } from "#src/play/spots/present-pool.ts";
import { buildEvent, buildSession, inSeconds } from "#tests/client/events/action-states.ts";

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
    pool: presentPool(total * 100, 0),
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
