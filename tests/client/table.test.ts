import { describe, expect, test } from "bun:test";
import { changeTable, layTable, type Snapshot } from "#client/action/table.ts";
import type { SessionMessage } from "#src/cable/contract.ts";
import type { EventView } from "#src/events/contract.ts";
import { buildCall, buildEvent, buildSession, buildTable, inSeconds } from "./tables.ts";

const serverTime = inSeconds(1);

function eventMessage(event: EventView): SessionMessage {
  return { sourceType: "Event", eventType: "update", detail: { event, version: event.version, serverTime } };
}

function poolMessage(eventId: number, total: number): SessionMessage {
  return {
    sourceType: "Spot",
    eventType: "pool",
    detail: {
      eventId,
      pool: { true: total / 2, false: total / 2, total },
      callsCount: total,
      latest: [{ username: "mira_k", side: "true", wager: 10 }],
      version: 1,
      serverTime,
    },
  };
}

const hear = (table: ReturnType<typeof buildTable>, message: SessionMessage) =>
  changeTable(table, { kind: "message", message });

describe("what the cable says", () => {
  test("a newer event replaces the known one and keeps the viewer's calls, which messages do not carry", () => {
    const table = buildTable([buildEvent({ myCalls: [buildCall()] })]);
    const heard = hear(table, eventMessage(buildEvent({ state: "closed", version: 2 })));
    expect(heard.events).toMatchObject([{ state: "closed", version: 2, myCalls: [{ id: 1 }] }]);
    expect(heard.heardAt).toBe(serverTime);
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
    const once = changeTable(table, { kind: "call", call: buildCall() });
    const twice = changeTable(once, { kind: "call", call: buildCall() });
    expect(twice.events[0]?.myCalls).toHaveLength(1);
  });

  test("a call never goes back: the result that came first stays", () => {
    const resolved = buildCall({ state: "resolved", outcome: "won", payoutCents: 900, netCents: 400 });
    const table = buildTable([buildEvent({ myCalls: [resolved] })]);
    const heard = changeTable(table, { kind: "call", call: buildCall({ state: "closed" }) });
    expect(heard.events[0]?.myCalls).toEqual([resolved]);
  });
});

describe("loading again", () => {
  const snapshot = (events: EventView[], session = buildSession()): Snapshot => {
    const {
      feed: _feed,
      shares: _shares,
      playersOnline: _online,
      ...rest
    } = layTable({
      session,
      events,
      leaders: [],
      me: null,
      playersCount: 0,
      heardAt: serverTime,
    });
    return rest;
  };

  test("takes what was missed and keeps what the cable had newer", () => {
    const table = buildTable([buildEvent({ id: 1, state: "resolved", result: true, version: 5 })]);
    const loaded = changeTable(table, {
      kind: "snapshot",
      snapshot: snapshot([buildEvent({ id: 1, version: 4, myCalls: [buildCall()] }), buildEvent({ id: 2 })]),
    });
    expect(loaded.events).toMatchObject([{ id: 1, version: 5, myCalls: [{ id: 1 }] }, { id: 2 }]);
  });

  test("of another session begins anew", () => {
    const table = hear(buildTable([buildEvent()]), poolMessage(1, 10));
    const other = changeTable(table, { kind: "snapshot", snapshot: snapshot([], buildSession({ id: 2 })) });
    expect(other).toMatchObject({ session: { id: 2 }, events: [], feed: [] });
  });
});
