import { expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await signedInClient(deps, server, await buildAdmin(deps));
const player = await buildPlayer(deps);

const anObject = v.record(v.string(), v.unknown());
const withId = v.object({ blueprint: v.object({ id: v.number() }) });

/** The lists of the API by their plural. */
const lists: Record<string, string> = {
  calls: "/api/v1/calls",
  events: "/api/v1/events",
  sessions: "/api/v1/sessions",
  scores: "/api/v1/scores",
  transactions: "/api/v1/transactions",
  payments: "/api/v1/payments",
  users: "/api/v1/users",
  blueprints: "/api/v1/blueprints",
  results: `/api/v1/users/${player.id}/results`,
};

test.each(Object.entries(lists))(
  "the list of %s has them under their plural, with its meta",
  async (plural, path) => {
    const { status, body } = await admin.get(path);
    expect(status).toBe(200);
    const answer = v.parse(anObject, body);
    expect(Object.keys(answer).toSorted()).toEqual(["meta", plural].toSorted());
    expect(Array.isArray(answer[plural])).toBe(true);
    const names = ["currentPage", "perPage", "serverTime", "totalCount", "totalPages"];
    expect(Object.keys(v.parse(anObject, answer["meta"])).toSorted()).toEqual(names);
  },
);

test("a resource is created, shown, updated and destroyed under its singular", async () => {
  const created = await admin.send("POST", "/api/v1/blueprints", { blueprint: { name: "Derby night" } });
  expect([created.status, Object.keys(v.parse(anObject, created.body))]).toEqual([201, ["blueprint"]]);
  const path = `/api/v1/blueprints/${v.parse(withId, created.body).blueprint.id}`;
  expect(await admin.get(path)).toMatchObject({ status: 200, body: { blueprint: { name: "Derby night" } } });
  expect(await admin.send("PATCH", path, { blueprint: { name: "Cup night" } })).toMatchObject({
    status: 200,
    body: { blueprint: { name: "Cup night" } },
  });
  expect(await admin.send("DELETE", path)).toMatchObject({ status: 204, body: null });
  expect(await admin.get(path)).toMatchObject({ status: 404 });
});

test("a payload that is not under the singular of its resource is refused", async () => {
  const count = async () => (await admin.get("/api/v1/blueprints")).body;
  const before = v.parse(anObject, await count())["blueprints"];
  for (const body of [{ name: "Derby night" }, { blueprints: { name: "Derby night" } }]) {
    expect(await admin.send("POST", "/api/v1/blueprints", body)).toMatchObject({ status: 400 });
  }
  expect(v.parse(anObject, await count())["blueprints"]).toEqual(before);
});

test("requests are read in snake_case, and answers are in camelCase, however deep", async () => {
  const created = await admin.send("POST", "/api/v1/sessions", {
    session: { name: "Cup", starts_at: "2027-01-02T20:00:00.000Z", settings: { slow_mode_seconds: 7 } },
  });
  expect(created).toMatchObject({
    status: 201,
    body: { session: { startsAt: "2027-01-02T20:00:00.000Z", settings: { slowModeSeconds: 7 } } },
  });
  const own = await admin.get("/api/v1/users/me");
  const snakes: string[] = [];
  JSON.stringify([created.body, own.body], (key, value: unknown) => {
    if (key.includes("_")) snakes.push(key);
    return value;
  });
  expect(snakes).toEqual([]);
});
