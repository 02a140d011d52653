import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { blueprintEventAnswer } from "#src/show/blueprints/schemas.ts";
import { testWorld } from "#tests/support/world.ts";
import { readOrder } from "./fixtures.ts";

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

test("PATCH /api/v1/blueprint_events/:id moves an event up, down, and to its own position", async () => {
  const { id, a, c } = await buildAbc();
  expect((await patch(c, { position: 1 })).body).toMatchObject({ blueprintEvent: { position: 1 } });
  expect(await readOrder(deps, id)).toEqual(["C", "A", "B"]);
  await patch(c, { position: 3, title: "C2" });
  expect(await readOrder(deps, id)).toEqual(["A", "B", "C2"]);
  await patch(a, { position: 1 });
  expect(await readOrder(deps, id)).toEqual(["A", "B", "C2"]);
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
