import { describe, expect, test } from "bun:test";
import { type ActionSnapshot, type ActionState, reduceActionState } from "#client/events/action-state.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { presentPool } from "#src/play/spots/present-pool.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildCall, buildEvent, buildSession, buildActionState, inSeconds } from "./action-states.ts";

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
    pool: presentPool(total * 50, total * 50),
    callsCount: total,
    latest: [{ username: "mira_k", side: "true", wager: 10, wagerCents: 1_000 }],
    version: 1,
    serverTime,
  };
}

const receive = (state: ReturnType<typeof buildActionState>, message: SessionMessage) =>
  reduceActionState(state, { kind: "message", message });

describe("messages", () => {
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

describe("the viewer's calls and their events", () => {
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
});

function snapshotOf(events: EventView[], session = buildSession()): ActionSnapshot {
  return { session, nextSession: null, events, leaders: [], me: null, playersCount: 0, asOf: serverTime };
}

describe("a refetched snapshot", () => {
  const load = (state: ReturnType<typeof buildActionState>, events: EventView[]) =>
    reduceActionState(state, { kind: "snapshot", snapshot: snapshotOf(events) });

  test("adds what was missed and keeps what is newer", () => {
    const state = buildActionState([buildEvent({ id: 1, state: "resolved", result: true, version: 5 })]);
    const loaded = reduceActionState(state, {
      kind: "snapshot",
      snapshot: snapshotOf([
        buildEvent({ id: 1, version: 4, myCalls: [buildCall()] }),
        buildEvent({ id: 2 }),
      ]),
    });
    expect(loaded.events).toMatchObject([{ id: 1, version: 5, myCalls: [{ id: 1 }] }, { id: 2 }]);
  });

  test("of another session replaces the whole state", () => {
    const state = receive(buildActionState([buildEvent()]), poolMessage(1, 10));
    const other = reduceActionState(state, {
      kind: "snapshot",
      snapshot: snapshotOf([], buildSession({ id: 2 })),
    });
    expect(other).toMatchObject({ session: { id: 2 }, events: [], feed: [] });
  });

  test("keeps an event that was published after the snapshot, and drops one that was removed before it", () => {
    const after = buildEvent({ id: 2, updatedAt: inSeconds(2) });
    const before = buildEvent({ id: 3, updatedAt: inSeconds(0) });
    const loaded = load(buildActionState([buildEvent({ id: 1 }), after, before]), [buildEvent({ id: 1 })]);
    expect(loaded.events.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("keeps a call that is newer than the snapshot, and drops one that was cancelled elsewhere", () => {
    const state = buildActionState([buildEvent({ myCalls: [buildCall({ id: 1 })] })]);
    const later = buildCall({ id: 2 });
    const heard = reduceActionState(state, { kind: "call", call: later, asOf: inSeconds(2) });
    expect(load(heard, [buildEvent()]).events[0]?.myCalls).toEqual([later]);
  });
});

describe("a changed result", () => {
  const resolved = buildEvent({ state: "resolved", result: true, version: 2 });
  const corrected = { ...resolved, result: false, version: 3 };

  test("counts as a correction, by message or by snapshot; a first one, or the same again, does not", () => {
    const state = buildActionState([resolved]);
    expect(receive(state, eventMessage(corrected)).corrected).toEqual([1]);
    const loaded = reduceActionState(state, { kind: "snapshot", snapshot: snapshotOf([corrected]) });
    expect(loaded.corrected).toEqual([1]);
    const first = receive(buildActionState([buildEvent()]), eventMessage(resolved));
    expect(receive(first, eventMessage({ ...resolved, version: 3 })).corrected).toEqual([]);
  });
});

test("a viewer who may not watch any more sees what everybody reads of the session, with its known events", () => {
  const state = buildActionState([buildEvent()]);
  for (const now of ["stopped", "pending"] as const) {
    const session = { ...state.session, state: now };
    const unwatched = reduceActionState(state, { kind: "unwatched", session });
    expect([unwatched.session, unwatched.events]).toEqual([session, state.events]);
  }
});
