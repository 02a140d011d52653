import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { destroyBlueprintEvent } from "#src/show/blueprints/removals.ts";
import { blueprintEventAnswer, blueprintEventsAnswer } from "#src/show/blueprints/schemas.ts";
import {
  createBlueprintEvent,
  updateBlueprintEvent,
  updatePositions,
} from "#src/show/blueprints/write-blueprint-events.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildTitled, readOrder } from "./fixtures.ts";

const { deps, db, build, unchanged, read, signedIn } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();

const PATH = "/api/v1/blueprint_events";
const abc = ["A", "B", "C"].map((title) => ({ title }));
const post = (blueprint_event: object) => asAdmin.send("POST", PATH, { blueprint_event });
const patch = (id: number, blueprint_event: object) =>
  asAdmin.send("PATCH", `${PATH}/${id}`, { blueprint_event });

/** A blueprint with the events A, B and C, and their ids. */
async function buildAbc() {
  const { id } = await build.blueprint(abc);
  const ofBlueprint = eq(blueprintEvents.blueprintId, id);
  const order = asc(blueprintEvents.position);
  const rows = await db.select().from(blueprintEvents).where(ofBlueprint).orderBy(order);
  const [a = 0, b = 0, c = 0] = rows.map((row) => row.id);
  return { id, a, b, c };
}

/** An invalid field of an event, and its error. What breaks the schema of one field is in tests/api/walk.test.ts. */
const wrong: [event: object, field: string, text: string][] = [
  [{ title: "a\0b" }, "title", "is invalid"],
  [{ true_label: " " }, "trueLabel", "can't be blank"],
  [{ true_label: "Yes", false_label: "yes" }, "falseLabel", "must differ from the True Label"],
  [{ true_label: "False" }, "falseLabel", "must differ from the True Label"],
  [{ min_wager: 0.005 }, "minWager", "is invalid"],
  [{ min_wager: 2, max_wager: 1.99 }, "maxWager", "must be greater than or equal to 2"],
  [{ auto_result: "void" }, "autoResult", "is invalid"],
];

test("POST /api/v1/blueprint_events adds an event at the end, with all given fields", async () => {
  const { id } = await buildAbc();
  const { status, body } = await post({
    blueprint_id: id,
    title: " Penalty? ",
    description: "In the first half",
    true_label: "Yes",
    false_label: "No",
    start_mode: "offset",
    offset_seconds: 540,
    duration_seconds: 60,
    resolve_within_seconds: 90,
    min_wager: 0.5,
    max_wager: 20,
    auto_result: "random",
  });
  expect(status).toBe(201);
  const { blueprintEvent } = v.parse(blueprintEventAnswer, body);
  expect(blueprintEvent).toMatchObject({
    blueprintId: id,
    position: 4,
    title: "Penalty?",
    trueLabel: "Yes",
    startMode: "offset",
    offsetSeconds: 540,
    minWagerCents: 50,
    maxWager: 20,
    maxWagerCents: 2_000,
    autoResult: "random",
  });
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_blueprint_event",
    subjectType: "blueprint_event",
    subjectId: blueprintEvent.id,
    after: { title: "Penalty?", position: 4 },
  });
  expect((await asAdmin.get(`${PATH}/${blueprintEvent.id}`)).body).toEqual({ blueprintEvent });
});

test("POST /api/v1/blueprint_events inserts one at a position, and the others move down", async () => {
  const { id } = await buildAbc();
  const { body } = await post({ blueprint_id: id, title: "New", position: 2 });
  expect(body).toMatchObject({ blueprintEvent: { position: 2 } });
  expect(await readOrder(deps, id)).toEqual(["A", "New", "B", "C"]);
  await post({ blueprint_id: id, title: "First", position: 1 });
  await post({ blueprint_id: id, title: "Last", position: 6 });
  expect(await readOrder(deps, id)).toEqual(["First", "A", "New", "B", "C", "Last"]);
  expect(await read.lastAudit()).toMatchObject({ after: { position: 6 } });
});

test.each<[object, string, string]>([
  ...wrong,
  [{ position: 5 }, "position", "must be less than or equal to 4"],
  [{ blueprint_id: 999_999_999 }, "blueprint", "must exist"],
])(
  "POST /api/v1/blueprint_events with invalid data refuses %j, and nothing changes",
  async (event, field, text) => {
    const { id } = await buildAbc();
    const answer = await unchanged(() => post({ blueprint_id: id, title: "Goal?", ...event }));
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
  },
);

test("POST /api/v1/blueprint_events with invalid data: a full blueprint accepts no more events", async () => {
  const { id } = await build.blueprint(Array.from({ length: blueprintLimits.eventsMax }, () => ({})));
  expect(await unchanged(() => post({ blueprint_id: id, title: "One more?" }))).toMatchObject({
    status: 422,
    body: { errors: { blueprint: ["is too long (maximum is 200 events)"] } },
  });
});

test("PATCH /api/v1/blueprint_events/:id changes the given fields (null removes a limit), and no copy in a session", async () => {
  const { id, b } = await buildAbc();
  await patch(b, { max_wager: 5 });
  const session = await generateSession(deps, { blueprintId: id });
  const { status, body } = await patch(b, { title: "B2", max_wager: null, min_wager: 1.25 });
  expect(status).toBe(200);
  expect(v.parse(blueprintEventAnswer, body).blueprintEvent).toMatchObject({
    id: b,
    position: 2,
    title: "B2",
    minWagerCents: 125,
    maxWager: null,
  });
  expect(await read.lastAudit()).toMatchObject({
    action: "update_blueprint_event",
    before: { title: "B", maxWagerCents: 500 },
    after: { title: "B2", maxWagerCents: null },
  });
  const copies = await db.select().from(events).where(eq(events.sessionId, session.id));
  expect(copies.map(({ title }) => title).toSorted()).toEqual(["A", "B", "C"]);
});

test.each<[object, string, string]>([
  ...wrong,
  [{ position: 4 }, "position", "must be less than or equal to 3"],
  [{ max_wager: 0.5 }, "maxWager", "must be greater than or equal to 1"],
  [{ blueprint_id: 1 }, "blueprintId", "is invalid"],
])("PATCH /api/v1/blueprint_events/:id refuses %j, and nothing changes", async (event, field, text) => {
  const { b } = await buildAbc();
  await patch(b, { min_wager: 1 });
  expect(await unchanged(() => patch(b, event))).toMatchObject({
    status: 422,
    body: { errors: { [field]: [text] } },
  });
});

test("DELETE /api/v1/blueprint_events/:id closes the gap, and a copy in a session stays", async () => {
  const { id, a } = await buildAbc();
  const session = await generateSession(deps, { blueprintId: id });
  expect((await asAdmin.send("DELETE", `${PATH}/${a}`)).status).toBe(204);
  expect(await readOrder(deps, id)).toEqual(["B", "C"]);
  const copies = await db.select().from(events).where(eq(events.sessionId, session.id));
  expect(copies.map(({ title }) => title).toSorted()).toEqual(["A", "B", "C"]);
  expect(copies.find(({ title }) => title === "A")?.blueprintEventId).toBeNull();
  expect(await read.lastAudit()).toMatchObject({ action: "destroy_blueprint_event", before: { title: "A" } });
  expect((await asAdmin.get(`${PATH}/${a}`)).status).toBe(404);
});

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

const POSITIONS = "/api/v1/blueprint_events/batch_update_positions";
const send = (blueprint_events: unknown) => asAdmin.send("POST", POSITIONS, { blueprint_events });

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
