import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ActionChange, type ActionState, reduceActionState } from "#client/events/action-state.ts";
import { couldPayCents } from "#client/events/estimate.ts";
import type { Side } from "#db/lists/spots.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { presentPool } from "#src/play/spots/present-pool.ts";
import { buildActionState, buildCall, buildEvent, buildSession, inSeconds } from "./action-states.ts";

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

const placed = fc
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
  return { pool: presentPool(sum("true"), sum("false")), callsCount: counted.length };
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
  return { pool: presentPool(sum("true"), sum("false")), callsCount: shown.length };
}

const show = fc.record({
  calls: fc
    .array(placed, { maxLength: 8 })
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
