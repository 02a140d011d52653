import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { buildAdmin, buildBlueprint, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();

const eventsOf = (sessionId: number) =>
  deps.pool.db.select().from(events).where(eq(events.sessionId, sessionId)).orderBy(asc(events.position));

test("events are copied by value as drafts, each with two spots", async () => {
  const admin = await buildAdmin(deps);
  const blueprint = await buildBlueprint(
    deps,
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
  await deps.pool.db.update(blueprintEvents).set({ title: "Something else?" });
  const [rain, goal] = await eventsOf(session.id);
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
  expect((await readSpots(deps, rain?.id ?? 0)).false.state).toBe("closed");
});

test("each session gets its own slug, also if many are generated at once", async () => {
  const blueprint = await buildBlueprint(deps, [{}], { name: "Rehearsal" });
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

test.each([
  ["Café — Olé!", "cafe-ole"],
  ["2026", "session-2026"],
  ["New", "session-new"],
  ["日本", "riben"],
  [`${"long ".repeat(30)}name`, "long-long-long-long-long-long-long-long-long-long-long-long"],
])("a session named %p gets the slug %s", async (name, slug) => {
  const blueprint = await buildBlueprint(deps);
  expect((await generateSession(deps, { blueprintId: blueprint.id, name })).slug).toBe(slug);
});

test("a taken slug is refused, and no session is created", async () => {
  const blueprint = await buildBlueprint(deps);
  await generateSession(deps, { blueprintId: blueprint.id, slug: "the-one" });
  const before = await deps.pool.db.$count(sessions);
  const refusal = await refusalOf(generateSession(deps, { blueprintId: blueprint.id, slug: "the-one" }));
  expect(refusal.details.errors).toEqual({ slug: ["has already been taken"] });
  expect(await deps.pool.db.$count(sessions)).toBe(before);
});

test("an unknown blueprint is not found", async () => {
  expect((await refusalOf(generateSession(deps, { blueprintId: 999_999 }))).status).toBe(404);
});
