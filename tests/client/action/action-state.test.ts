import { describe, expect, test } from "bun:test";
import { reduceActionState, type ActionSnapshot } from "#client/action/action-state.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
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
    pool: { true: total / 2, false: total / 2, total },
    callsCount: total,
    latest: [{ username: "mira_k", side: "true", wager: 10 }],
    version: 1,
    serverTime,
  };
}

const laterPool = () => ({ ...poolDetail(1, 10), serverTime: inSeconds(9) });

const receive = (state: ReturnType<typeof buildActionState>, message: SessionMessage) =>
  reduceActionState(state, { kind: "message", message });

describe("messages", () => {
  test("a newer event replaces the known one and keeps the viewer's calls, which messages do not contain", () => {
    const state = buildActionState([buildEvent({ myCalls: [buildCall()] })]);
    const next = receive(state, eventMessage(buildEvent({ state: "closed", version: 2 })));
    expect(next.events).toMatchObject([{ state: "closed", version: 2, myCalls: [{ id: 1 }] }]);
    expect(next.asOf).toBe(serverTime);
  });

  test("an older event changes nothing", () => {
    const state = buildActionState([buildEvent({ state: "closed", version: 2 })]);
    expect(receive(state, eventMessage(buildEvent({ version: 1 }))).events).toEqual(state.events);
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
    expect(next.feed.map(({ id, eventId }) => [id, eventId])).toEqual([
      [1, 1],
      [2, 2],
    ]);
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

describe("the viewer's calls", () => {
  test("a call is added to its event once, however often it is received", () => {
    const state = buildActionState([buildEvent()]);
    const once = reduceActionState(state, { kind: "call", call: buildCall() });
    const twice = reduceActionState(once, { kind: "call", call: buildCall() });
    expect(twice.events[0]?.myCalls).toHaveLength(1);
  });

  test("a call never goes back to an earlier state", () => {
    const resolved = buildCall({ state: "resolved", outcome: "won", payoutCents: 900, netCents: 400 });
    const state = buildActionState([buildEvent({ myCalls: [resolved] })]);
    const next = reduceActionState(state, { kind: "call", call: buildCall({ state: "closed" }) });
    expect(next.events[0]?.myCalls).toEqual([resolved]);
  });
});

describe("a refetched snapshot", () => {
  const snapshot = (events: EventView[], session = buildSession()): ActionSnapshot => ({
    session,
    nextSession: null,
    events,
    leaders: [],
    me: null,
    playersCount: 0,
    asOf: serverTime,
  });
  const load = (state: ReturnType<typeof buildActionState>, events: EventView[]) =>
    reduceActionState(state, { kind: "snapshot", snapshot: snapshot(events) });

  test("adds what was missed and keeps what is newer", () => {
    const state = buildActionState([buildEvent({ id: 1, state: "resolved", result: true, version: 5 })]);
    const loaded = reduceActionState(state, {
      kind: "snapshot",
      snapshot: snapshot([buildEvent({ id: 1, version: 4, myCalls: [buildCall()] }), buildEvent({ id: 2 })]),
    });
    expect(loaded.events).toMatchObject([{ id: 1, version: 5, myCalls: [{ id: 1 }] }, { id: 2 }]);
  });

  test("of another session replaces the whole state", () => {
    const state = receive(buildActionState([buildEvent()]), poolMessage(1, 10));
    const other = reduceActionState(state, {
      kind: "snapshot",
      snapshot: snapshot([], buildSession({ id: 2 })),
    });
    expect(other).toMatchObject({ session: { id: 2 }, events: [], feed: [] });
  });

  test("keeps an event that was published after the snapshot, and drops one that was removed before it", () => {
    const after = buildEvent({ id: 2, updatedAt: inSeconds(2) });
    const before = buildEvent({ id: 3, updatedAt: inSeconds(0) });
    const loaded = load(buildActionState([buildEvent({ id: 1 }), after, before]), [buildEvent({ id: 1 })]);
    expect(loaded.events.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("keeps a call that was placed after the snapshot, and drops one that was cancelled elsewhere", () => {
    const after = buildCall({ id: 2, placedAt: inSeconds(2) });
    const loaded = load(buildActionState([buildEvent({ myCalls: [buildCall({ id: 1 }), after] })]), [
      buildEvent(),
    ]);
    expect(loaded.events[0]?.myCalls).toEqual([after]);
  });

  test("does not restore a call that was cancelled during the fetch", () => {
    const cancelled = buildCall({ state: "soft_destroyed" });
    const loaded = load(buildActionState([buildEvent({ myCalls: [cancelled] })]), [
      buildEvent({ myCalls: [buildCall()] }),
    ]);
    expect(loaded.events[0]?.myCalls).toEqual([cancelled]);
  });

  test("never sets the time of the newest data back", () => {
    const next = receive(buildActionState([buildEvent()]), { ...poolMessage(1, 10), detail: laterPool() });
    expect(load(next, [buildEvent()]).asOf).toBe(inSeconds(9));
  });
});

describe("a changed result", () => {
  const resolved = buildEvent({ state: "resolved", result: true, version: 2 });
  const corrected = { ...resolved, result: false, version: 3 };

  test("counts as a correction, by message or by snapshot", () => {
    const state = buildActionState([resolved]);
    expect(receive(state, eventMessage(corrected)).corrected).toEqual([1]);
    const snapshot = {
      session: buildSession(),
      nextSession: null,
      events: [corrected],
      leaders: [],
      me: null,
    };
    const loaded = reduceActionState(state, {
      kind: "snapshot",
      snapshot: { ...snapshot, playersCount: 0, asOf: serverTime },
    });
    expect(loaded.corrected).toEqual([1]);
  });

  test("a first result, or the same one again, does not count", () => {
    const first = receive(buildActionState([buildEvent()]), eventMessage(resolved));
    expect(receive(first, eventMessage({ ...resolved, version: 3 })).corrected).toEqual([]);
  });
});

test("a viewer who may not watch any more sees that the session is over, with its known events", () => {
  const state = buildActionState([buildEvent()]);
  const stopped = reduceActionState(state, { kind: "stopped" });
  expect(stopped.session.state).toBe("stopped");
  expect(stopped.events).toEqual(state.events);
});
