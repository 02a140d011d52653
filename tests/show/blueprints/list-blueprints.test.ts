import { expect, test } from "bun:test";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { blueprintsAnswer } from "#src/show/blueprints/schemas.ts";
import { buildAdmin, buildBlueprint } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const asAdmin = await signedInClient(deps, createServer(deps), await buildAdmin(deps));

test("the list can be filtered by a part of the name, in any case and without wildcards", async () => {
  await buildBlueprint(deps, [], { name: "Pub 100% quiz" });
  await buildBlueprint(deps, [], { name: "Pub 1000 quiz" });
  const namesMatching = async (name: string) => {
    const { body } = await asAdmin.get(`/api/v1/blueprints?${new URLSearchParams({ name }).toString()}`);
    const { blueprints, meta } = v.parse(blueprintsAnswer, body);
    expect(meta.totalCount).toBe(blueprints.length);
    return blueprints.map((blueprint) => blueprint.name);
  };
  expect(await namesMatching(" pUB ")).toEqual(["Pub 100% quiz", "Pub 1000 quiz"]);
  expect(await namesMatching("100%")).toEqual(["Pub 100% quiz"]);
  expect(await namesMatching("pub_")).toEqual([]);
  expect((await asAdmin.get(`/api/v1/blueprints?name=${"x".repeat(81)}`)).status).toBe(422);
});
