import { expect, test } from "bun:test";
import {
  type ShowState,
  reduceShowState,
  eventsWithPools,
  initialShowState,
  needsRefetch,
  type ShowSnapshot,
} from "#client/show/show-state.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { buildEvent, buildSession, inSeconds } from "./action-states.ts";

const seenAt = (seconds: number, changes: Partial<ShowSnapshot> = {}): ShowSnapshot => ({
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
    pool: { true: total, false: 0, total },
    callsCount: total,
    latest: [],
    version: 1,
    serverTime: inSeconds(seconds),
  },
});

const hear = (board: ShowState, message: SessionMessage) =>
  reduceShowState(board, { kind: "message", message });
const totals = (board: ShowState) => eventsWithPools(board).map(({ pool }) => pool.total);

test("a pool is taken from its message, as long as the event is open", () => {
  const board = hear(hear(initialShowState(seenAt(0)), poolAt(1, 1, 5)), poolAt(1, 2, 9));
  expect(totals(board)).toEqual([5, 0]);
  expect(eventsWithPools(board)[0]?.callsCount).toBe(5);
});

test("a look that began before a pool was heard does not take it back, a later one does", () => {
  const heard = hear(initialShowState(seenAt(0)), poolAt(2, 1, 5));
  const early = reduceShowState(heard, { kind: "seen", seen: seenAt(1) });
  expect(totals(early)).toEqual([5, 0]);
  const late = reduceShowState(early, { kind: "seen", seen: seenAt(3) });
  expect(totals(late)).toEqual([0, 0]);
});

test("an older look changes nothing, another session everything", () => {
  const board = initialShowState(seenAt(5));
  const older = seenAt(4, { session: buildSession({ name: "Old" }) });
  expect(reduceShowState(board, { kind: "seen", seen: older })).toBe(board);
  const other = seenAt(4, { session: buildSession({ id: 2, name: "Other" }) });
  expect(reduceShowState(board, { kind: "seen", seen: other }).session.name).toBe("Other");
});

test("who is here is heard at once; calls and presence ask for no look, all else does", () => {
  const presence: SessionMessage = {
    sourceType: "Presence",
    eventType: "count",
    detail: { playersOnline: 12, version: 0, serverTime: inSeconds(1) },
  };
  const board = hear(initialShowState(seenAt(0)), presence);
  expect(board.session.playersOnline).toBe(12);
  expect([presence, poolAt(1, 1, 5)].map(needsRefetch)).toEqual([false, false]);
  const moved: SessionMessage = {
    sourceType: "Event",
    eventType: "open_event",
    detail: { event: buildEvent(), version: 2, serverTime: inSeconds(1) },
  };
  expect(needsRefetch(moved)).toBe(true);
  expect(hear(board, moved)).toBe(board);
});
