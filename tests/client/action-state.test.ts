import { describe, expect, test } from "bun:test";
import { reduceActionState, type ActionSnapshot } from "#client/action/action-state.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { buildCall, buildEvent, buildSession, buildTable, inSeconds } from "./action-states.ts";

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

const hear = (table: ReturnType<typeof buildTable>, message: SessionMessage) =>
  reduceActionState(table, { kind: "message", message });

describe("what the cable says", () => {
  test("a newer event replaces the known one and keeps the viewer's calls, which messages do not carry", () => {
    const table = buildTable([buildEvent({ myCalls: [buildCall()] })]);
    const heard = hear(table, eventMessage(buildEvent({ state: "closed", version: 2 })));
    expect(heard.events).toMatchObject([{ state: "closed", version: 2, myCalls: [{ id: 1 }] }]);
    expect(heard.asOf).toBe(serverTime);
  });

  test("an older event changes nothing", () => {
    const table = buildTable([buildEvent({ state: "closed", version: 2 })]);
    expect(hear(table, eventMessage(buildEvent({ version: 1 }))).events).toEqual(table.events);
  });

  test("a new event takes its place by position, a hidden one goes", () => {
    const table = buildTable([buildEvent({ id: 1 }), buildEvent({ id: 3 })]);
    const more = hear(table, eventMessage(buildEvent({ id: 2 })));
    expect(more.events.map(({ id }) => id)).toEqual([1, 2, 3]);
    const less = hear(more, eventMessage(buildEvent({ id: 1, state: "hidden", version: 2 })));
    expect(less.events.map(({ id }) => id)).toEqual([2, 3]);
  });

  test("a pool moves the open event only, and its calls go to the feed under their event", () => {
    const table = buildTable([buildEvent({ id: 1 }), buildEvent({ id: 2, state: "resolved", result: true })]);
    const heard = hear(hear(table, poolMessage(1, 20)), poolMessage(2, 30));
    expect(heard.events.map(({ pool }) => pool.total)).toEqual([20, 0]);
    expect(heard.feed.map(({ id, eventId }) => [id, eventId])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test("a session keeps the viewer's registration, which messages do not carry", () => {
    const session = { ...buildSession({ state: "stopped", version: 2 }), registered: false };
    const heard = hear(buildTable([]), {
      sourceType: "Session",
      eventType: "stop",
      detail: { session, version: 2, serverTime },
    });
    expect(heard.session).toMatchObject({ state: "stopped", registered: true });
  });
});

describe("the viewer's calls", () => {
  test("a call joins its event once, however often it is heard of", () => {
    const table = buildTable([buildEvent()]);
    const once = reduceActionState(table, { kind: "call", call: buildCall() });
    const twice = reduceActionState(once, { kind: "call", call: buildCall() });
    expect(twice.events[0]?.myCalls).toHaveLength(1);
  });

  test("a call never goes back: the result that came first stays", () => {
    const resolved = buildCall({ state: "resolved", outcome: "won", payoutCents: 900, netCents: 400 });
    const table = buildTable([buildEvent({ myCalls: [resolved] })]);
    const heard = reduceActionState(table, { kind: "call", call: buildCall({ state: "closed" }) });
    expect(heard.events[0]?.myCalls).toEqual([resolved]);
  });
});

describe("loading again", () => {
  const snapshot = (events: EventView[], session = buildSession()): ActionSnapshot => ({
    session,
    nextSession: null,
    events,
    leaders: [],
    me: null,
    playersCount: 0,
    asOf: serverTime,
  });
  const load = (table: ReturnType<typeof buildTable>, events: EventView[]) =>
    reduceActionState(table, { kind: "snapshot", snapshot: snapshot(events) });

  test("takes what was missed and keeps what the cable had newer", () => {
    const table = buildTable([buildEvent({ id: 1, state: "resolved", result: true, version: 5 })]);
    const loaded = reduceActionState(table, {
      kind: "snapshot",
      snapshot: snapshot([buildEvent({ id: 1, version: 4, myCalls: [buildCall()] }), buildEvent({ id: 2 })]),
    });
    expect(loaded.events).toMatchObject([{ id: 1, version: 5, myCalls: [{ id: 1 }] }, { id: 2 }]);
  });

  test("of another session begins anew", () => {
    const table = hear(buildTable([buildEvent()]), poolMessage(1, 10));
    const other = reduceActionState(table, {
      kind: "snapshot",
      snapshot: snapshot([], buildSession({ id: 2 })),
    });
    expect(other).toMatchObject({ session: { id: 2 }, events: [], feed: [] });
  });

  test("keeps an event that was published after the server looked, and drops one that was gone by then", () => {
    const after = buildEvent({ id: 2, updatedAt: inSeconds(2) });
    const before = buildEvent({ id: 3, updatedAt: inSeconds(0) });
    const loaded = load(buildTable([buildEvent({ id: 1 }), after, before]), [buildEvent({ id: 1 })]);
    expect(loaded.events.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("keeps a call that was placed after the server looked, and drops one that was taken back elsewhere", () => {
    const after = buildCall({ id: 2, placedAt: inSeconds(2) });
    const loaded = load(buildTable([buildEvent({ myCalls: [buildCall({ id: 1 }), after] })]), [buildEvent()]);
    expect(loaded.events[0]?.myCalls).toEqual([after]);
  });

  test("does not bring back a call that was taken back while the server looked", () => {
    const gone = buildCall({ state: "soft_destroyed" });
    const loaded = load(buildTable([buildEvent({ myCalls: [gone] })]), [
      buildEvent({ myCalls: [buildCall()] }),
    ]);
    expect(loaded.events[0]?.myCalls).toEqual([gone]);
  });

  test("never turns back the time of what was heard last", () => {
    const heard = hear(buildTable([buildEvent()]), { ...poolMessage(1, 10), detail: laterPool() });
    expect(load(heard, [buildEvent()]).asOf).toBe(inSeconds(9));
  });
});

describe("a result that is changed", () => {
  const resolved = buildEvent({ state: "resolved", result: true, version: 2 });
  const corrected = { ...resolved, result: false, version: 3 };

  test("counts as a correction, whether it is heard or loaded", () => {
    const table = buildTable([resolved]);
    expect(hear(table, eventMessage(corrected)).corrected).toEqual([1]);
    const snapshot = { session: buildSession(), next: null, events: [corrected], leaders: [], me: null };
    const loaded = reduceActionState(table, {
      kind: "snapshot",
      snapshot: { ...snapshot, playersCount: 0, asOf: serverTime },
    });
    expect(loaded.corrected).toEqual([1]);
  });

  test("a first result, or the same one again, does not", () => {
    const first = hear(buildTable([buildEvent()]), eventMessage(resolved));
    expect(hear(first, eventMessage({ ...resolved, version: 3 })).corrected).toEqual([]);
  });
});

test("whoever may not watch any more sees that the session is over, with what was known of it", () => {
  const table = buildTable([buildEvent()]);
  const over = reduceActionState(table, { kind: "over" });
  expect(over.session.state).toBe("stopped");
  expect(over.events).toEqual(table.events);
});
