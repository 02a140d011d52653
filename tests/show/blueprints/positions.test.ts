import { expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { destroyBlueprintEvent } from "#src/show/blueprints/removals.ts";
import { blueprintEventsAnswer } from "#src/show/blueprints/schemas.ts";
import {
  createBlueprintEvent,
  updateBlueprintEvent,
  updatePositions,
} from "#src/show/blueprints/write-blueprint-events.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildTitled, readOrder } from "./fixtures.ts";

const { deps, build, read, unchanged, client } = await testWorld();
const admin = await build.admin();

type Move =
  | { kind: "insert"; at: number; title: string }
  | { kind: "append"; title: string }
  | { kind: "move"; which: number; to: number }
  | { kind: "delete"; which: number }
  | { kind: "shuffle"; seed: number };
const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const title = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("a", "b", "c") });
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant("insert"), at: share, title }),
  fc.record({ kind: fc.constant("append"), title }),
  fc.record({ kind: fc.constant("move"), which: share, to: share }),
  fc.record({ kind: fc.constant("delete"), which: share }),
  fc.record({ kind: fc.constant("shuffle"), seed: fc.nat() }),
);
type Model = { id: number; title: string }[];

/** Performs a move in the database and returns the expected order. */
async function perform(blueprintId: number, model: Model, change: Move): Promise<Model> {
  const actor = admin;
  const pick = (part: number) => Math.floor(part * model.length);
  if (change.kind === "append") {
    const id = await createBlueprintEvent(deps, { actor, blueprintId, title: change.title });
    return [...model, { id, title: change.title }];
  }
  if (change.kind === "insert") {
    const index = Math.floor(change.at * (model.length + 1));
    const command = { actor, blueprintId, title: change.title, position: index + 1 };
    return model.toSpliced(index, 0, { id: await createBlueprintEvent(deps, command), title: change.title });
  }
  if (change.kind === "shuffle") {
    const shuffled = model.toSorted(
      (one, other) => mixed(one.id, change.seed) - mixed(other.id, change.seed),
    );
    const positions = shuffled.map(({ id }, index) => ({ id, position: index + 1 }));
    if (positions.length > 0) await updatePositions(deps, { actor, positions });
    return shuffled;
  }
  const chosen = model[pick(change.which)];
  if (chosen === undefined) return model;
  const without = model.filter((event) => event !== chosen);
  if (change.kind === "delete") {
    await destroyBlueprintEvent(deps, { actor, blueprintEventId: chosen.id });
    return without;
  }
  const index = pick(change.to);
  await updateBlueprintEvent(deps, { actor, blueprintEventId: chosen.id, position: index + 1 });
  return without.toSpliced(index, 0, chosen);
}

const mixed = (id: number, seed: number) => Bun.hash.crc32(`${seed}:${id}`);

test("positions stay 1..n in the order of a plain list after inserts, moves, deletions and shuffles", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 14 }), async (moves) => {
      const { id, ids } = await buildTitled(deps, ["A", "B", "C"]);
      let model: Model = ids.map((eventId, index) => ({ id: eventId, title: "ABC".charAt(index) }));
      for (const change of moves) {
        model = await perform(id, model, change);
        expect(await readOrder(deps, id)).toEqual(model.map((event) => event.title));
      }
    }),
    { numRuns: 40 },
  );
}, 180_000);

test("positions stay 1..n while many admins change them at once", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D", "E", "F"]);
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const actor = admin;
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 6 }, (_, index) =>
      createBlueprintEvent(deps, { actor, blueprintId: id, title: `N${index}`, position: (index % 3) + 1 }),
    ),
    updateBlueprintEvent(deps, { actor, blueprintEventId: a, position: 4 }),
    updateBlueprintEvent(deps, { actor, blueprintEventId: d, position: 1 }),
    destroyBlueprintEvent(deps, { actor, blueprintEventId: b }),
    destroyBlueprintEvent(deps, { actor, blueprintEventId: c }),
  ]);
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  const order = await readOrder(deps, id);
  expect(order.toSorted()).toEqual(["A", "D", "E", "F", "N0", "N1", "N2", "N3", "N4", "N5"]);
});

const asAdmin = await client(admin);

const PATH = "/api/v1/blueprint_events/batch_update_positions";
const send = (blueprint_events: unknown) => asAdmin.send("POST", PATH, { blueprint_events });

const at = (...places: [id: number, position: unknown][]) =>
  places.map(([id, position]) => ({ id, position }));
/** Lists that are not an order of a blueprint with the events a and b. */
const invalidOrders: [what: string, positionsOf: (a: number, b: number, other: number) => unknown][] = [
  ["one is left out", (a) => at([a, 1])],
  ["one comes twice", (a) => at([a, 1], [a, 2])],
  ["a position comes twice", (a, b) => at([a, 1], [b, 1])],
  ["there is a gap", (a, b) => at([a, 1], [b, 3])],
  ["it starts at 0", (a, b) => at([a, 0], [b, 1])],
  ["one is of another blueprint", (a, _b, other) => at([a, 1], [other, 2])],
  ["one more is of another blueprint", (a, b, other) => at([a, 1], [b, 2], [other, 3])],
  ["one is unknown", (a) => at([a, 1], [999_999_999, 2])],
  ["all are unknown", () => at([999_999_999, 1])],
  ["a position is no number", (a, b) => at([a, "1"], [b, 2])],
  ["it says more", (a, b) => [{ id: a, position: 1, title: "Z" }, ...at([b, 2])]],
  ["it is empty", () => []],
  ["it is no list", (a) => ({ id: a, position: 1 })],
];

test("POST /api/v1/blueprint_events/batch_update_positions reorders all events, and returns them in the new order", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D"]);
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const { status, body } = await send(at([a, 3], [b, 1], [c, 4], [d, 2]));
  expect(status).toBe(200);
  const { blueprintEvents } = v.parse(blueprintEventsAnswer, body);
  expect(blueprintEvents.map((event) => event.id)).toEqual([b, d, a, c]);
  expect(blueprintEvents.map((event) => event.position)).toEqual([1, 2, 3, 4]);
  expect(await readOrder(deps, id)).toEqual(["B", "D", "A", "C"]);
  const [line] = await read.audit({ subjectType: "blueprint", subjectId: id });
  expect(line).toMatchObject({
    actorId: admin.id,
    action: "batch_update_positions",
    before: { blueprintEventIds: ids },
    after: { blueprintEventIds: [b, d, a, c] },
  });
});

test.each(invalidOrders)(
  "POST /api/v1/blueprint_events/batch_update_positions is refused if %s, and nothing changes",
  async (_what, positionsOf) => {
    const { ids } = await buildTitled(deps, ["A", "B"]);
    const other = await buildTitled(deps, ["C"]);
    const [a = 0, b = 0] = ids;
    expect(await unchanged(() => send(positionsOf(a, b, other.ids[0] ?? 0)))).toMatchObject({
      status: 422,
      body: { errors: { blueprintEvents: ["is invalid"] } },
    });
  },
);
