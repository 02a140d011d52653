import { describe, expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { createServer } from "#src/server.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import {
  blueprintAnswer,
  blueprintsAnswer,
  editBlueprintAnswer,
  newBlueprintAnswer,
} from "#src/show/blueprints/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildAdmin, buildBlueprint, buildPlayer, only, readSession } from "#tests/support/build.ts";
import { signedInClient, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readEverything } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, await buildPlayer(deps));
const asAdmin = await signedInClient(deps, server, admin);

const lastAudit = async () => only(await deps.pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1));
const defaults = { leadSeconds: 10, settlementDelaySeconds: 5, smallRoom: false };

describe("reading blueprints", () => {
  test("the list is sorted by name; each has its events in order and its number of sessions", async () => {
    const derby = await buildBlueprint(deps, [{ title: "Toss?" }, { title: "Goal?", maxWagerCents: 550 }], {
      name: "derby night",
    });
    await buildBlueprint(deps, [], { name: "Chess night" });
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
    const second = v.parse(
      blueprintsAnswer,
      (await asAdmin.get("/api/v1/blueprints?per_page=1&page=2")).body,
    );
    expect(second.blueprints.map(({ id }) => id)).toEqual([derby.id]);
    expect((await asAdmin.get("/api/v1/blueprints?page=0")).status).toBe(422);
  });

  test("one is shown by its id; new and edit add the options of the form", async () => {
    const blueprint = await buildBlueprint(deps, [{}, {}]);
    const shown = v.parse(blueprintAnswer, (await asAdmin.get(`/api/v1/blueprints/${blueprint.id}`)).body);
    expect(shown.blueprint).toMatchObject({ id: blueprint.id, name: blueprint.name, sessionsCount: 0 });
    const edited = v.parse(
      editBlueprintAnswer,
      (await asAdmin.get(`/api/v1/blueprints/${blueprint.id}/edit`)).body,
    );
    expect(edited.blueprint).toEqual(shown.blueprint);
    const { body } = await asAdmin.get("/api/v1/blueprints/new");
    const offered = v.parse(newBlueprintAnswer, body);
    expect(offered.blueprint).toMatchObject({ id: null, name: "", defaults, blueprintEvents: [] });
    expect(offered.options).toEqual(edited.options);
    expect(offered.options.limits).toMatchObject({ titleLengthMax: 140, durationSecondsMax: 1_800 });
  });

  test("the defaults of the form are the defaults of a new event", async () => {
    const blueprint = await buildBlueprint(deps, [{ title: "Plain?" }]);
    const { body } = await asAdmin.get(`/api/v1/blueprints/${blueprint.id}/edit`);
    const { blueprint: view, options } = v.parse(editBlueprintAnswer, body);
    expect(view.blueprintEvents[0]).toMatchObject(options.blueprintEvent);
  });

  test.each(["999999999", "abc", "0", "new/edit"])("does not find %s", async (id) => {
    expect((await asAdmin.get(`/api/v1/blueprints/${id}`)).status).toBe(404);
  });
});

describe("POST /api/v1/blueprints", () => {
  test("creates one with trimmed texts, and writes to the audit log", async () => {
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
    expect(await lastAudit()).toMatchObject({
      actorId: admin.id,
      action: "create_blueprint",
      subjectType: "blueprint",
      subjectId: blueprint.id,
    });
  });

  test.each([
    [{}, "name", "is required"],
    [{ name: "" }, "name", "can't be blank"],
    [{ name: "   " }, "name", "can't be blank"],
    [{ name: null }, "name", "can't be blank"],
    [{ name: "x".repeat(81) }, "name", "is too long (maximum is 80 characters)"],
    [{ name: "a\0b" }, "name", "is invalid"],
    [{ name: 7 }, "name", "is invalid"],
    [{ name: "A", description: "x".repeat(501) }, "description", "is too long (maximum is 500 characters)"],
    [
      { name: "A", defaults: { lead_seconds: -1 } },
      "defaults.leadSeconds",
      "must be greater than or equal to 0",
    ],
    [
      { name: "A", defaults: { lead_seconds: 601 } },
      "defaults.leadSeconds",
      "must be less than or equal to 600",
    ],
    [{ name: "A", defaults: { lead_seconds: 1.5 } }, "defaults.leadSeconds", "must be an integer"],
    [{ name: "A", defaults: { small_room: "yes" } }, "defaults.smallRoom", "is not a valid boolean"],
    [{ name: "A", defaults: { odds: 2 } }, "defaults.odds", "is invalid"],
    [{ name: "A", id: 5 }, "id", "is invalid"],
  ])("refuses %j, and nothing changes", async (blueprint, field, text) => {
    const before = await readEverything(deps);
    const answer = await asAdmin.send("POST", "/api/v1/blueprints", { blueprint });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid", errors: { [field]: [text] } } });
    expect(await readEverything(deps)).toEqual(before);
  });

  test("requires the root key", async () => {
    expect((await asAdmin.send("POST", "/api/v1/blueprints", { name: "A" })).status).toBe(400);
  });
});

describe("PATCH /api/v1/blueprints/:id", () => {
  test("changes only the given fields and settings", async () => {
    const { id } = await buildBlueprint(deps, [{}], {
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
    expect(await lastAudit()).toMatchObject({
      action: "update_blueprint",
      subjectId: id,
      before: { description: "As it was" },
      after: { name: "Cup final", defaults: { settlementDelaySeconds: 5 } },
    });
  });

  test.each([
    [{ name: " " }, "name", "can't be blank"],
    [{ description: null }, "description", "can't be blank"],
    [{ blueprint_events: [] }, "blueprintEvents", "is invalid"],
  ])("refuses %j, and nothing changes", async (blueprint, field, text) => {
    const { id } = await buildBlueprint(deps);
    const before = await readEverything(deps);
    const answer = await asAdmin.send("PATCH", `/api/v1/blueprints/${id}`, { blueprint });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
    expect(await readEverything(deps)).toEqual(before);
  });
});

describe("DELETE /api/v1/blueprints/:id", () => {
  test("deletes its events; a stopped session stays without the reference", async () => {
    const blueprint = await buildBlueprint(deps, [{}, {}]);
    const session = await generateSession(deps, { blueprintId: blueprint.id });
    const order = { sessionId: session.id, actor: null };
    await startSession(deps, order);
    await stopSession(deps, order);
    expect(await asAdmin.send("DELETE", `/api/v1/blueprints/${blueprint.id}`)).toMatchObject({
      status: 204,
      body: null,
    });
    expect((await asAdmin.get(`/api/v1/blueprints/${blueprint.id}`)).status).toBe(404);
    expect(await deps.pool.db.$count(blueprintEvents, eq(blueprintEvents.blueprintId, blueprint.id))).toBe(0);
    expect(await readSession(deps, session.id)).toMatchObject({ blueprintId: null, state: "stopped" });
    const kept = await deps.pool.db.select().from(events).where(eq(events.sessionId, session.id));
    expect(kept.map(({ blueprintEventId }) => blueprintEventId)).toEqual([null, null]);
    expect(await lastAudit()).toMatchObject({
      actorId: admin.id,
      action: "destroy_blueprint",
      subjectId: blueprint.id,
      before: { name: blueprint.name },
    });
  });

  test.each(["pending", "running"])(
    "is refused while a session of it is %s, and nothing changes",
    async (state) => {
      const blueprint = await buildBlueprint(deps, [{}]);
      const { id: sessionId, slug } = await generateSession(deps, { blueprintId: blueprint.id });
      if (state === "running") await startSession(deps, { sessionId, actor: null });
      const before = await readEverything(deps);
      expect(await asAdmin.send("DELETE", `/api/v1/blueprints/${blueprint.id}`)).toMatchObject({
        status: 422,
        body: {
          error: "Cannot delete record because dependent sessions exist",
          errors: { base: ["Cannot delete record because dependent sessions exist"] },
          code: "dependents",
          detail: `The session ${slug} is not over yet.`,
        },
      });
      expect(await readEverything(deps)).toEqual(before);
    },
  );
});

describe("viewers who are not admins", () => {
  test.each([
    ["GET", ""],
    ["GET", "/new"],
    ["GET", "/:id"],
    ["GET", "/:id/edit"],
    ["POST", ""],
    ["PATCH", "/:id"],
    ["DELETE", "/:id"],
    ["POST", "/:id/generate_session"],
  ])("is kept from %s /api/v1/blueprints%s, and nothing changes", async (method, tail) => {
    const { id } = await buildBlueprint(deps);
    const path = `/api/v1/blueprints${tail.replace(":id", String(id))}`;
    const body = { blueprint: { name: "Mine" }, session: {} };
    const ask = (visitor: TestClient) =>
      method === "GET" ? visitor.get(path) : visitor.send(method, path, body);
    const before = await readEverything(deps);
    expect(await ask(signedOut)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await ask(asPlayer)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await readEverything(deps)).toEqual(before);
  });

  test.each(["PATCH", "DELETE"])("an unknown blueprint is not found by %s", async (method) => {
    const body = method === "PATCH" ? { blueprint: {} } : undefined;
    expect((await asAdmin.send(method, "/api/v1/blueprints/999999999", body)).status).toBe(404);
  });
});
