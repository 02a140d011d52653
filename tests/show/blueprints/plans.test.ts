import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { blueprintAnswer, blueprintEventsAnswer, removalsAnswer } from "#src/show/blueprints/schemas.ts";
import { asApplication } from "#tests/support/application.ts";
import { only } from "#tests/support/build.ts";
import { testWorld, worldOf } from "#tests/support/world.ts";
import { buildTitled, readEverything, readOrder, readRows } from "./fixtures.ts";

const { deps, db, build, unchanged, read, signedIn } = await testWorld();
// The rights of the application, because an undo writes ids.
const asAdmin = await worldOf(asApplication(deps)).client(await build.admin());

const post = (path: string, body: unknown) => asAdmin.send("POST", `/api/v1/${path}`, body);
const rowsOf = (blueprintId: number) => readRows(deps, blueprintId);

const bring = (blueprint_id: number, text: string) =>
  post("blueprint_events/import", { plan: { blueprint_id, text } });

test("POST /api/v1/blueprint_events/import adds what a text names at the end, with the pace of new actions", async () => {
  const { id } = await buildTitled(deps, ["A"]);
  const sent = await bring(id, 'Question;Seconds;Start\n"Rain; or snow?";1 min;\nSun?;;after result 10 s\n');
  expect(sent.status).toBe(201);
  expect(v.parse(blueprintEventsAnswer, sent.body).blueprintEvents.slice(1)).toMatchObject([
    { title: "Rain; or snow?", durationSeconds: 60, startMode: "after_result", offsetSeconds: 15 },
    { title: "Sun?", durationSeconds: 30, startMode: "after_result", offsetSeconds: 10 },
  ]);
  expect(sent.body).toMatchObject({
    leftOut: [{ line: 1, text: "Question;Seconds;Start", why: "the header" }],
  });
  const { id: empty } = await build.blueprint([]);
  await bring(empty, "First?\nSecond?");
  expect((await rowsOf(empty)).map(({ offsetSeconds }) => offsetSeconds)).toEqual([0, 15]);
});

test.each([
  [
    "A?\n\nB? | Yes | No | 4\n | Yes",
    ["line 3: Duration must be greater than or equal to 5", "line 4: Question can't be blank"],
  ],
  ['[\n"A?"\n"B?"]', ["Line 3: this is not JSON (comma expected)"]],
  ['"A?,Yes,No\nB?,Yes,No,30', ['line 1: The quotes do not match; write "" for a quote inside quotes']],
  [`${"[".repeat(190_000)}${"]".repeat(190_000)}`, ["It is nested too deeply"]],
  ["---\n***", ["has no actions"]],
  [
    "Stake? | Yes | No | 30 | by hand | 5 | 2",
    ["line 1: Most per player must be greater than or equal to 5"],
  ],
])("POST /api/v1/blueprint_events/import refuses %j by its lines, and adds nothing", async (text, errors) => {
  const { id } = await buildTitled(deps, ["A"]);
  expect(await unchanged(() => bring(id, text))).toMatchObject({
    status: 422,
    body: { errors: { text: errors } },
  });
});

test("POST /api/v1/blueprint_events/import refuses 500 rows for lack of room, and says how many there is room for", async () => {
  const { id } = await buildTitled(deps, ["A"]);
  const sent = await unchanged(() =>
    bring(id, Array.from({ length: 500 }, (_, index) => `Will ${index} come?`).join("\n")),
  );
  expect(sent.status).toBe(422);
  expect(JSON.stringify(sent.body)).toContain("is too long (maximum is 200 events)");
});

test("a copy of a blueprint has its settings and its events; a long name is cut for it", async () => {
  const terms = { name: "n".repeat(80), description: "Why", defaults: { leadSeconds: 3 } };
  const { id } = await build.blueprint([{ title: "A?", maxWagerCents: 500 }, { title: "B?" }], terms);
  const { blueprint } = v.parse(blueprintAnswer, (await post(`blueprints/${id}/duplicate`, undefined)).body);
  expect(blueprint).toMatchObject({ description: "Why", defaults: { leadSeconds: 3 }, sessionsCount: 0 });
  expect([blueprint.name.length, blueprint.name.slice(-8)]).toEqual([80, "n (copy)"]);
  expect(blueprint.blueprintEvents).toMatchObject([{ title: "A?", maxWagerCents: 500 }, { title: "B?" }]);
});

test("a copy of a past session has what it asked, without what was destroyed", async () => {
  const { id } = await buildTitled(deps, ["A?", "B?", "C?"]);
  const generated = await post(`blueprints/${id}/generate_session`, undefined);
  const { slug } = v.parse(v.object({ session: v.object({ slug: v.string() }) }), generated.body).session;
  await db.execute(sql`UPDATE events SET state = 'soft_destroyed' WHERE title = 'B?'
      AND session_id = (SELECT id FROM sessions WHERE slug = ${slug})`);
  const sent = await post("blueprints/from_session", { blueprint: { session: slug } });
  expect(sent.status).toBe(201);
  const { blueprint } = v.parse(blueprintAnswer, sent.body);
  expect(blueprint.blueprintEvents.map(({ title }) => title)).toEqual(["A?", "C?"]);
  const refused = await unchanged(() =>
    post("blueprints/from_session", { blueprint: { session: "no-such-one" } }),
  );
  expect(refused).toMatchObject({ status: 422, body: { errors: { session: ["must exist"] } } });
});

test("a copy from a text needs a name, unless it brings one", async () => {
  const refused = await unchanged(() => post("blueprints/import", { blueprint: { text: "A?" } }));
  expect(refused).toMatchObject({ status: 422, body: { errors: { name: ["can't be blank"] } } });
  const text = JSON.stringify({
    name: "Brought",
    defaults: { lead_seconds: 4, colour: 1 },
    events: ["A?"],
  });
  const sent = await post("blueprints/import", { blueprint: { text } });
  expect(sent.body).toMatchObject({ leftOut: [] });
  expect(v.parse(blueprintAnswer, sent.body).blueprint).toMatchObject({
    name: "Brought",
    defaults: { leadSeconds: 4 },
    blueprintEvents: [{ title: "A?" }],
  });
});

test("several events are refused together: of two blueprints, one twice, one of another version, limits that nothing meets", async () => {
  const [one, other] = [await buildTitled(deps, ["A", "B"]), await buildTitled(deps, ["C"])];
  const before = await readEverything(deps);
  const [a = 0, b = 0] = one.ids;
  const [c = 0] = other.ids;
  const change = (...events: object[]) => post("blueprint_events/batch_update", { blueprint_events: events });
  expect((await change({ id: a, duration_seconds: 45 }, { id: c, duration_seconds: 45 })).status).toBe(422);
  expect((await change({ id: a, duration_seconds: 45 }, { id: a, duration_seconds: 50 })).status).toBe(422);
  expect((await change({ id: a, duration_seconds: 45 }, { id: b, version: 7 })).status).toBe(409);
  expect(await change({ id: a, duration_seconds: 45 }, { id: b, min_wager: 2, max_wager: 1 })).toMatchObject({
    status: 422,
    body: { errors: { "blueprintEvents.1.maxWager": ["must be greater than or equal to 2"] } },
  });
  expect((await post("blueprint_events/batch_destroy", { ids: [a, c] })).status).toBe(422);
  expect((await post("blueprint_events/batch_destroy", { ids: [] })).status).toBe(422);
  expect(await readEverything(deps)).toEqual(before);
});

test("blueprints are listed as people count: 0, 1, 2, 10, 100", async () => {
  for (const name of ["Zz 10", "Zz 2", "zz 100", "Zz 1 b", "Zz 0", "Zz 1 a", "Zz"])
    await build.blueprint([], { name });
  const { body } = await asAdmin.get("/api/v1/blueprints?name=zz");
  const { blueprints: listed } = v.parse(
    v.object({ blueprints: v.array(v.object({ name: v.string() })) }),
    body,
  );
  expect(listed.map(({ name }) => name)).toEqual([
    "Zz",
    "Zz 0",
    "Zz 1 a",
    "Zz 1 b",
    "Zz 2",
    "Zz 10",
    "zz 100",
  ]);
});

/** What an undo brings back of a row. */
const lasting = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...row }) => row);
const removals = async (query = "") =>
  (await asAdmin.read(`/api/v1/blueprint_removals${query}`, removalsAnswer)).removals;

test("an undo brings several removed events back to their positions, with their ids, once", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D"]);
  const before = await rowsOf(id);
  await post("blueprint_events/batch_destroy", { ids: [ids[3], ids[1]] });
  expect(await readOrder(deps, id)).toEqual(["A", "C"]);
  const removal = only(await removals(`?blueprint_id=${id}`));
  expect(removal).toMatchObject({ name: null, titles: ["B", "D"] });
  expect((await post(`blueprint_removals/${removal.id}/restore`, undefined)).status).toBe(200);
  expect(lasting(await rowsOf(id))).toEqual(lasting(before));
  expect(await removals(`?blueprint_id=${id}`)).toEqual([]);
  const lines = await db.$count(audit);
  await post(`blueprint_removals/${removal.id}/restore`, undefined);
  expect(lasting(await rowsOf(id))).toEqual(lasting(before));
  expect(await db.$count(audit)).toBe(lines);
});

test("an undo brings a single event back, beside what was added and moved since", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C"]);
  await asAdmin.send("DELETE", `/api/v1/blueprint_events/${ids[1]}`);
  await post("blueprint_events", { blueprint_event: { blueprint_id: id, title: "D" } });
  const removal = only(await removals(`?blueprint_id=${id}`));
  await post(`blueprint_removals/${removal.id}/restore`, undefined);
  expect(await readOrder(deps, id)).toEqual(["A", "B", "C", "D"]);
});

test("an undo brings a whole blueprint back, with its settings", async () => {
  const { id } = await build.blueprint([{ title: "A?" }, { title: "B?" }], { name: "Gone" });
  const [before, events] = [await read.row(blueprints, id), await rowsOf(id)];
  await asAdmin.send("DELETE", `/api/v1/blueprints/${id}`);
  const removal = (await removals()).find(({ name }) => name === "Gone");
  expect(removal?.titles).toEqual(["A?", "B?"]);
  const sent = await post(`blueprint_removals/${removal?.id}/restore`, undefined);
  expect(v.parse(blueprintAnswer, sent.body).blueprint).toMatchObject({
    id,
    name: "Gone",
    description: before.description,
  });
  expect(lasting(await rowsOf(id))).toEqual(lasting(events));
});

test("an undo is refused after a day, without room, without the blueprint, and for a line that removed nothing", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B"]);
  await post("blueprint_events/batch_destroy", { ids: [ids[1]] });
  const { id: removalId } = only(await removals(`?blueprint_id=${id}`));
  await post("blueprint_events/batch_create", {
    blueprint_id: id,
    blueprint_events: Array.from({ length: 199 }, (_, index) => ({ title: `N ${index}` })),
  });
  expect((await unchanged(() => post(`blueprint_removals/${removalId}/restore`, undefined))).status).toBe(
    422,
  );
  const other = only(
    await db.select().from(audit).where(eq(audit.action, "create_blueprint_events")).limit(1),
  );
  expect((await post(`blueprint_removals/${other.id}/restore`, undefined)).status).toBe(404);
  await asAdmin.send("DELETE", `/api/v1/blueprints/${id}`);
  expect((await post(`blueprint_removals/${removalId}/restore`, undefined)).status).toBe(404);
  const whole = (await removals()).find(({ blueprintId }) => blueprintId === id);
  await db.execute(sql`ALTER TABLE audit DISABLE TRIGGER USER`);
  await db.execute(
    sql`UPDATE audit SET created_at = created_at - interval '25 hours' WHERE id = ${whole?.id}`,
  );
  await db.execute(sql`ALTER TABLE audit ENABLE TRIGGER USER`);
  const before = await readEverything(deps);
  const late = await post(`blueprint_removals/${whole?.id}/restore`, undefined);
  expect(late).toMatchObject({ status: 422, body: { code: "too_late_to_undo" } });
  expect((await removals()).some(({ id: listed }) => listed === whole?.id)).toBe(false);
  expect(await readEverything(deps)).toEqual(before);
});

const [admin, asHost] = await signedIn.admin();

const PATH = "/api/v1/blueprint_events/batch_create";
const send = (blueprint_id: unknown, blueprint_events: unknown) =>
  asHost.send("POST", PATH, { blueprint_id, blueprint_events });
const titled = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Number ${index + 1}?` }));

const { eventsMax } = blueprintLimits;
/** Lists that a blueprint with two events refuses, and the errors. */
const refused: [what: string, rows: unknown[], errors: Record<string, string>][] = [
  [
    "everything wrong with every row",
    [
      { title: "Fine?" },
      { title: "", duration_seconds: 4 },
      { title: "Long?", true_label: "x".repeat(26), duration_seconds: "30" },
    ],
    {
      "blueprintEvents.1.title": "can't be blank",
      "blueprintEvents.1.durationSeconds": "must be greater than or equal to 5",
      "blueprintEvents.2.trueLabel": "is too long (maximum is 25 characters)",
      "blueprintEvents.2.durationSeconds": "is not a number",
    },
  ],
  [
    "limits that no wager fits",
    [{ title: "Fine?" }, { title: "Bet?", min_wager: 2, max_wager: 1 }],
    { "blueprintEvents.1.maxWager": "must be greater than or equal to 2" },
  ],
  [
    "a place among the others",
    [{ title: "Here?", position: 1 }],
    { "blueprintEvents.0.position": "is invalid" },
  ],
  ["what is no event", ["Goal?"], { "blueprintEvents.0": "is invalid" }],
  ["no events", [], { blueprintEvents: "can't be blank" }],
  [
    "more than any blueprint takes",
    titled(eventsMax + 1),
    { blueprintEvents: "is too long (maximum is 200 events)" },
  ],
  [
    "more than there is room for",
    titled(eventsMax - 1),
    { blueprint: "is too long (maximum is 200 events)" },
  ],
];

test("POST /api/v1/blueprint_events/batch_create adds a list at the end, in its order, and returns all events", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B"]);
  const { status, body } = await send(id, [
    { title: " Corner? ", true_label: "Yes", falseLabel: "No", duration_seconds: 45, max_wager: 5 },
    { title: "Card?" },
  ]);
  expect(status).toBe(201);
  const { blueprintEvents } = v.parse(blueprintEventsAnswer, body);
  expect(blueprintEvents.slice(0, 2).map((event) => event.id)).toEqual(ids);
  expect(blueprintEvents.slice(2)).toMatchObject([
    { position: 3, title: "Corner?", trueLabel: "Yes", falseLabel: "No", durationSeconds: 45, maxWager: 5 },
    { position: 4, title: "Card?", trueLabel: "True", durationSeconds: 30, startMode: "after_previous" },
  ]);
  expect(await readOrder(deps, id)).toEqual(["A", "B", "Corner?", "Card?"]);
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_blueprint_events",
    subjectType: "blueprint",
    subjectId: id,
    after: {
      blueprintEvents: [
        { title: "Corner?", maxWagerCents: 500 },
        { title: "Card?", position: 4 },
      ],
    },
  });
});

test.each(refused)(
  "POST /api/v1/blueprint_events/batch_create with invalid data refuses %s, by row, and nothing changes",
  async (_what, rows, errors) => {
    const { id } = await buildTitled(deps, ["A", "B"]);
    const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
    expect(await unchanged(() => send(id, rows))).toMatchObject({ status: 422, body: { errors: listed } });
  },
);

test("POST /api/v1/blueprint_events/batch_create with invalid data says how many more events fit", async () => {
  const { id } = await buildTitled(deps, ["A", "B"]);
  expect((await send(id, titled(eventsMax))).body).toMatchObject({
    detail: "It has 2 events, so there is room for 198 more.",
  });
});

test("POST /api/v1/blueprint_events/batch_create with invalid data refuses an unknown blueprint, and nothing changes", async () => {
  const errors = { blueprint: ["must exist"] };
  expect(await unchanged(() => send(999_999_999, titled(1)))).toMatchObject({
    status: 422,
    body: { errors },
  });
});
