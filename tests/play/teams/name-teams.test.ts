import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { testWorld } from "#tests/support/world.ts";
import { inTeams } from "./in-teams.ts";

const { deps, db, build } = await testWorld();
const { host, open, teamsOf, teamOf, expectRefused } = await inTeams(deps);

let show: SessionRow;
beforeEach(async () => {
  show = await open();
});

const change = (teams: unknown) =>
  host.send("PATCH", `/api/v1/sessions/${show.slug}`, { session: { settings: { teams } } });

test("the names are 2 to 12, without an insult, and none looks like another; a blueprint gives them to its sessions", async () => {
  const plan = (teams: unknown) =>
    host.send("POST", "/api/v1/blueprints", { blueprint: { name: "Pub night", defaults: { teams } } });
  const thirteen = Array.from({ length: 13 }, (_, index) => `Team ${index}`);
  for (const [teams, error] of [
    [["Foxes"], "must be 2 to 12 names, or none"],
    [thirteen, "must be 2 to 12 names, or none"],
    [["Foxes", "fox\u0435s"], "must differ: fox\u0435s is there twice"],
    [["Foxes", "Shitheads"], "has a word that is not used here"],
  ] as const) {
    await expectRefused(() => change(teams), 422, { errors: { "settings.teams": [error] } });
    await expectRefused(() => plan(teams), 422, { errors: { "defaults.teams": [error] } });
  }
  await expectRefused(() => change(["Foxes", " "]), 422, {
    errors: { "settings.teams.1": ["can't be blank"] },
  });
  const made = await plan(["Left", "Right"]);
  expect(made.status).toBe(201);
  const { blueprint } = v.parse(v.object({ blueprint: v.object({ id: v.number() }) }), made.body);
  const generated = await host.send("POST", `/api/v1/blueprints/${blueprint.id}/generate_session`, {
    session: {},
  });
  expect(generated.body).toMatchObject({ session: { settings: { teams: ["Left", "Right"] } } });
});

test("teams that have players can be renamed, and others added at the end; players who joined before there were teams get one", async () => {
  show = await build.session();
  const players = await Promise.all(Array.from({ length: 4 }, () => build.player()));
  for (const { id: userId } of players)
    await db.insert(registrations).values({ sessionId: show.id, userId, displayName: "P" });
  const numbers = async () => Promise.all(players.map(({ id }) => teamOf(id, show)));
  expect(await numbers()).toEqual([null, null, null, null]);
  expect((await change(["Reds", "Blues"])).status).toBe(200);
  expect(await numbers()).toEqual([1, 2, 1, 2]);
  const stay = { errors: { "settings.teams": [expect.stringContaining("must keep")] } };
  await expectRefused(() => change(["Blues", "Reds"]), 422, stay);
  await expectRefused(() => change(["Greens", "Reds", "Blues"]), 422, stay);
  expect((await change(["Rubies", "Blues", "Greens"])).status).toBe(200);
  expect(await numbers()).toEqual([1, 2, 1, 2]);
  // Nobody is in the third.
  expect((await change(["Rubies", "Blues"])).status).toBe(200);
  await expectRefused(() => change(["Rubies", "Blues", "rubies"]), 422, {});
  // Without teams for a while: everybody comes back into theirs.
  expect((await change([])).status).toBe(200);
  expect((await teamsOf(host, show)).teams).toEqual([]);
  expect((await change(["Rubies", "Blues", "Greens"])).status).toBe(200);
  expect(await numbers()).toEqual([1, 2, 1, 2]);
  expect((await teamsOf(host, show)).suggested).toBe(3);
});
