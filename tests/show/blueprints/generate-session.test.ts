import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { destroyBlueprintEvent } from "#src/show/blueprints/removals.ts";
import { sessionAnswer, sessionsAnswer } from "#src/show/sessions/schemas.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildTitled } from "./fixtures.ts";

const { deps, db, build, read, signedIn } = await testWorld();

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

const [admin, asAdmin] = await signedIn.admin();

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
