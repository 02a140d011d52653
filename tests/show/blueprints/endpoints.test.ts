import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { destroyBlueprintEvent } from "#src/show/blueprints/removals.ts";
import { blueprintAnswer, blueprintsAnswer } from "#src/show/blueprints/schemas.ts";
import { sessionAnswer, sessionsAnswer } from "#src/show/sessions/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildTitled } from "./fixtures.ts";

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

test("events are copied by value as drafts, each with two spots", async () => {
  const admin = await build.admin();
  const blueprint = await build.blueprint(
    [
      {
        title: "Rain before noon?",
        trueLabel: "Wet",
        falseLabel: "Dry",
        durationSeconds: 20,
        autoResult: "random",
      },
      { title: "A goal in the first half?", startMode: "offset", offsetSeconds: 90, maxWagerCents: 500 },
    ],
    { name: "Friday night", description: "Ten questions.", defaults: { leadSeconds: 5 } },
  );
  const session = await generateSession(deps, { blueprintId: blueprint.id, actor: admin });
  expect(session).toMatchObject({
    name: "Friday night",
    description: "Ten questions.",
    slug: "friday-night",
    state: "pending",
    active: false,
    rehearsal: false,
    blueprintId: blueprint.id,
  });
  await db.update(blueprintEvents).set({ title: "Something else?" });
  const [rain, goal] = await read.events(session.id);
  expect(rain).toMatchObject({
    title: "Rain before noon?",
    trueLabel: "Wet",
    state: "draft",
    position: 1,
    durationSeconds: 20,
    leadSeconds: 5,
    autoResult: "random",
    createdById: admin.id,
  });
  expect(goal).toMatchObject({ startMode: "offset", offsetSeconds: 90, maxWagerCents: 500, position: 2 });
  expect((await read.spots(rain?.id ?? 0)).false.state).toBe("closed");
});

test("each session gets its own slug, also if many are generated at once", async () => {
  const blueprint = await build.blueprint([{}], { name: "Rehearsal" });
  const made = await Promise.all(
    Array.from({ length: 6 }, () => generateSession(deps, { blueprintId: blueprint.id, rehearsal: true })),
  );
  expect(made.map((session) => session.slug).toSorted()).toEqual([
    "rehearsal",
    "rehearsal-2",
    "rehearsal-3",
    "rehearsal-4",
    "rehearsal-5",
    "rehearsal-6",
  ]);
});

test("a taken slug is refused, and no session is created", async () => {
  const blueprint = await build.blueprint();
  await generateSession(deps, { blueprintId: blueprint.id, slug: "the-one" });
  const before = await db.$count(sessions);
  const refusal = await refusalOf(generateSession(deps, { blueprintId: blueprint.id, slug: "the-one" }));
  expect(refusal.details.errors).toEqual({ slug: ["has already been taken"] });
  expect(await db.$count(sessions)).toBe(before);
});

const generate = (blueprintId: number | string, body?: unknown) =>
  asAdmin.send("POST", `/api/v1/blueprints/${blueprintId}/generate_session`, body);

test.each([undefined, { session: {} }])(
  "the blueprint's name is taken where the body is %j",
  async (body) => {
    const blueprint = await build.blueprint([{}], { name: `Derby ${uniqueNumber()}` });
    expect(await generate(blueprint.id, body)).toMatchObject({
      status: 201,
      body: { session: { name: blueprint.name, startsAt: null } },
    });
  },
);

test("a session gets a whole copy while the blueprint's events are being deleted", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D", "E", "F"]);
  const made = await Promise.all(
    ids.map(async (blueprintEventId) => {
      const [session] = await Promise.all([
        generateSession(deps, { blueprintId: id, actor: admin }),
        destroyBlueprintEvent(deps, { blueprintEventId, actor: admin }),
      ]);
      return session;
    }),
  );
  for (const { id: sessionId } of made) {
    const positions = (await read.events(sessionId)).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  }
  expect(await db.$count(blueprintEvents, eq(blueprintEvents.blueprintId, id))).toBe(0);
});

test("a session generated during the deletion of its blueprint either keeps the blueprint or is refused", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id } = await buildTitled(deps, ["A", "B"]);
    const [made, deleted] = await Promise.all([
      generate(id),
      asAdmin.send("DELETE", `/api/v1/blueprints/${id}`),
    ]);
    expect([
      [201, 422],
      [404, 204],
    ]).toContainEqual([made.status, deleted.status]);
  }
});

test("a blueprint's sessions can be listed by its id", async () => {
  const blueprint = await build.blueprint();
  await generate((await build.blueprint()).id);
  const { body: made } = await generate(blueprint.id);
  const { sessions, meta } = await asAdmin.read(
    `/api/v1/sessions?blueprint_id=${blueprint.id}`,
    sessionsAnswer,
  );
  expect(sessions).toEqual([v.parse(sessionAnswer, made).session]);
  expect(meta.totalCount).toBe(1);
  for (const id of ["0", "x", "1.5", "-1", "99999999999999999999"]) {
    expect((await asAdmin.get(`/api/v1/sessions?blueprint_id=${id}`)).status).toBe(422);
  }
});
