import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { blueprintAnswer, blueprintsAnswer } from "#src/show/blueprints/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read, unchanged, signedIn } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();

const defaults = { leadSeconds: 10, settlementDelaySeconds: 5, smallRoom: false };

test("the list is sorted by name; each has its events in order and its number of sessions", async () => {
  const derby = await build.blueprint([{ title: "Toss?" }, { title: "Goal?", maxWagerCents: 550 }], {
    name: "derby night",
  });
  await build.blueprint([], { name: "Chess night" });
  await generateSession(deps, { blueprintId: derby.id });
  const { status, body } = await asAdmin.get("/api/v1/blueprints?per_page=100");
  expect(status).toBe(200);
  const { blueprints, meta } = v.parse(blueprintsAnswer, body);
  expect(blueprints.map(({ name }) => name)).toEqual(["Chess night", "derby night"]);
  expect(blueprints[1]).toMatchObject({ sessionsCount: 1, defaults: { settlementDelaySeconds: 0 } });
  expect(blueprints[1]?.blueprintEvents).toMatchObject([
    { position: 1, title: "Toss?", minWager: 0.01, maxWager: null, maxWagerCents: null, autoResult: null },
    { position: 2, title: "Goal?", maxWager: 5.5, maxWagerCents: 550, startMode: "after_previous" },
  ]);
  expect(meta).toMatchObject({ currentPage: 1, totalCount: 2 });
  const second = await asAdmin.read("/api/v1/blueprints?per_page=1&page=2", blueprintsAnswer);
  expect(second.blueprints.map(({ id }) => id)).toEqual([derby.id]);
  expect((await asAdmin.get("/api/v1/blueprints?page=0")).status).toBe(422);
});

test("the list can be filtered by a part of the name, in any case and without wildcards", async () => {
  await build.blueprint([], { name: "Pub 100% quiz" });
  await build.blueprint([], { name: "Pub 1000 quiz" });
  const namesMatching = async (name: string) => {
    const { blueprints, meta } = await asAdmin.read(
      `/api/v1/blueprints?${new URLSearchParams({ name }).toString()}`,
      blueprintsAnswer,
    );
    expect(meta.totalCount).toBe(blueprints.length);
    return blueprints.map((blueprint) => blueprint.name);
  };
  expect(await namesMatching(" pUB ")).toEqual(["Pub 100% quiz", "Pub 1000 quiz"]);
  expect(await namesMatching("100%")).toEqual(["Pub 100% quiz"]);
  expect(await namesMatching("pub_")).toEqual([]);
  expect((await asAdmin.get(`/api/v1/blueprints?name=${"x".repeat(81)}`)).status).toBe(422);
});

test("POST /api/v1/blueprints creates one with trimmed texts, and writes to the audit log", async () => {
  const { status, body } = await asAdmin.send("POST", "/api/v1/blueprints", {
    blueprint: { name: "  Quiz night ", description: "Ten rounds", defaults: { lead_seconds: 3 } },
  });
  expect(status).toBe(201);
  const { blueprint } = v.parse(blueprintAnswer, body);
  expect(blueprint).toMatchObject({
    name: "Quiz night",
    description: "Ten rounds",
    defaults: { ...defaults, leadSeconds: 3 },
    blueprintEvents: [],
    sessionsCount: 0,
  });
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_blueprint",
    subjectType: "blueprint",
    subjectId: blueprint.id,
  });
});

test.each([
  [{ name: "   " }, "name", "can't be blank"],
  [{ name: "a\0b" }, "name", "is invalid"],
])("POST /api/v1/blueprints refuses %j, and nothing changes", async (blueprint, field, text) => {
  const answer = await unchanged(() => asAdmin.send("POST", "/api/v1/blueprints", { blueprint }));
  expect(answer).toMatchObject({ status: 422, body: { code: "invalid", errors: { [field]: [text] } } });
});

test("PATCH /api/v1/blueprints/:id changes only the given fields and settings", async () => {
  const { id } = await build.blueprint([{}], {
    description: "As it was",
    defaults: { leadSeconds: 4, smallRoom: true },
  });
  const { status, body } = await asAdmin.send("PATCH", `/api/v1/blueprints/${id}`, {
    blueprint: { name: "Cup final", defaults: { settlement_delay_seconds: 5 } },
  });
  expect(status).toBe(200);
  expect(v.parse(blueprintAnswer, body).blueprint).toMatchObject({
    name: "Cup final",
    description: "As it was",
    defaults: { leadSeconds: 4, settlementDelaySeconds: 5, smallRoom: true },
    blueprintEvents: [{ position: 1 }],
  });
  expect(await read.lastAudit()).toMatchObject({
    action: "update_blueprint",
    subjectId: id,
    before: { description: "As it was" },
    after: { name: "Cup final", defaults: { settlementDelaySeconds: 5 } },
  });
});

test("DELETE /api/v1/blueprints/:id deletes its events; a stopped session stays without the reference", async () => {
  const blueprint = await build.blueprint([{}, {}]);
  const session = await generateSession(deps, { blueprintId: blueprint.id });
  await timer.start(session.id);
  await timer.stop(session.id);
  expect(await asAdmin.send("DELETE", `/api/v1/blueprints/${blueprint.id}`)).toMatchObject({
    status: 204,
    body: null,
  });
  expect((await asAdmin.get(`/api/v1/blueprints/${blueprint.id}`)).status).toBe(404);
  expect(await db.$count(blueprintEvents, eq(blueprintEvents.blueprintId, blueprint.id))).toBe(0);
  expect(await read.session(session.id)).toMatchObject({ blueprintId: null, state: "stopped" });
  const kept = await db.select().from(events).where(eq(events.sessionId, session.id));
  expect(kept.map(({ blueprintEventId }) => blueprintEventId)).toEqual([null, null]);
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "destroy_blueprint",
    subjectId: blueprint.id,
    before: { name: blueprint.name },
  });
});

test.each(["pending", "running"])(
  "DELETE /api/v1/blueprints/:id is refused while a session of it is %s, and nothing changes",
  async (state) => {
    const blueprint = await build.blueprint([{}]);
    const { id: sessionId, slug } = await generateSession(deps, { blueprintId: blueprint.id });
    if (state === "running") await timer.start(sessionId);
    expect(await unchanged(() => asAdmin.send("DELETE", `/api/v1/blueprints/${blueprint.id}`))).toMatchObject(
      {
        status: 422,
        body: {
          error: "Cannot delete record because dependent sessions exist",
          errors: { base: ["Cannot delete record because dependent sessions exist"] },
          code: "dependents",
          detail: `The session ${slug} is not over yet.`,
        },
      },
    );
  },
);
