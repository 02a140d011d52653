import { beforeEach, expect, test } from "bun:test";
import { sessions } from "#db/schema/sessions.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { inTeams, names } from "./in-teams.ts";

const { deps, build, read, client, set } = await testWorld();
const { open, clientOf, teamsOf, choose, teamOf, expectRefused, playEvent } = await inTeams(deps);

let show: SessionRow;
beforeEach(async () => {
  show = await open();
});

test("a first call takes the smallest team with it, also where many come at once, and a later call changes nothing", async () => {
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  const spot = (await read.spots(event.id)).true.id;
  const players = await Promise.all(Array.from({ length: 9 }, () => build.player()));
  const clients = await Promise.all(players.map(clientOf));
  const call = (who: TestClient, key: string) =>
    who.send("POST", "/api/v1/calls", { call: { spotId: spot, wager: 1 } }, { "idempotency-key": key });
  const [first, ...others] = clients;
  if (first === undefined) throw new Error("there are players");
  expect((await call(first, "a")).status).toBe(201);
  // In the order of the numbers where teams are equally small.
  expect(await teamsOf(first, show)).toMatchObject({ mine: 1, suggested: 2, changeable: true });
  expect((await Promise.all(others.map((who) => call(who, "a")))).map(({ status }) => status)).toEqual(
    others.map(() => 201),
  );
  const { teams } = await teamsOf(first, show);
  expect(teams.reduce((sum, { membersCount }) => sum + membersCount, 0)).toBe(9);
  // Those who come in one batch are spread evenly; two batches of one moment do not see each other.
  for (const { membersCount } of teams) expect(membersCount).toBeWithin(2, 5);
  await call(first, "b");
  expect((await teamsOf(first, show)).mine).toBe(1);
});

test("players of a session without teams are in none, and names of another release lose no call", async () => {
  const stored = [[], "Foxes", Array.from({ length: 13 }, (_, index) => `Team ${index}`), null, {}];
  for (const teams of stored) {
    const session = await build.runningSession();
    await set(sessions, session.id, {
      settings: { settlementDelaySeconds: 0, teams },
    });
    const player = await build.player();
    const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
    await build.call({ userId: player.id, eventId: event.id });
    const who = await clientOf(player);
    expect(await teamsOf(who, session)).toEqual({
      teams: [],
      mine: null,
      suggested: null,
      changeable: false,
    });
    expect((await choose(who, session, 1)).status).toBe(422);
  }
});

test("a player chooses while joining, by code or by form, and changes until the first result", async () => {
  const [ana, ben] = [await build.player(), await build.player()];
  const [a, b] = [await clientOf(ana), await clientOf(ben)];
  const code = await (await client()).get(`/api/v1/join_codes/${show.joinCode}`);
  expect(code.body).toMatchObject({
    session: {
      teams: names.map((name, index) => ({ number: index + 1, name, membersCount: 0 })),
      suggested: 1,
    },
  });
  const teamByCode = async () => (await a.get(`/api/v1/join_codes/${show.joinCode}`)).body;
  expect(await teamByCode()).toMatchObject({ session: { entered: true, team: null } });
  const joined = await a.send("POST", "/api/v1/joins", { join: { code: show.joinCode, team: 3 } });
  expect(joined.body).toMatchObject({ session: { team: 3 } });
  expect(await teamByCode()).toMatchObject({ session: { team: 3 } });
  await b.send("POST", `/api/v1/sessions/${show.slug}/registrations`, { registration: { team: 2 } });
  expect([await teamOf(ana.id, show), await teamOf(ben.id, show)]).toEqual([3, 2]);
  // A number that the session does not have is nobody's choice.
  const cleo = await build.player();
  await (await clientOf(cleo)).send("POST", "/api/v1/joins", { join: { code: show.joinCode, team: 12 } });
  expect(await teamOf(cleo.id, show)).toBe(1);

  expect([(await choose(a, show, 2)).status, await teamOf(ana.id, show)]).toEqual([200, 2]);
  await expectRefused(() => choose(a, show, 4), 422, { errors: { number: ["is invalid"] } });
  await expectRefused(() => choose(a, show, 13), 422, { errors: { number: [expect.any(String)] } });
  await playEvent(show, [
    [ana.id, 500, "true"],
    [ben.id, 500, "false"],
  ]);
  expect(await teamsOf(a, show)).toMatchObject({ mine: 2, changeable: false });
  await expectRefused(() => choose(a, show, 1), 422, { code: "team_fixed" });
  expect((await choose(a, show, 2)).status).toBe(200);
  // Who has no result yet can still choose, and is registered by it.
  const dora = await build.player();
  expect([(await choose(await clientOf(dora), show, 3)).status, await teamOf(dora.id, show)]).toEqual([
    200, 3,
  ]);
});

test("a private session's teams do not exist for those who have not joined it", async () => {
  show = await open({ private: true });
  const outside = await clientOf(await build.player());
  await expectRefused(() => choose(outside, show, 1), 404, {});
  expect((await outside.get(`/api/v1/scores/teams?session_id=${show.slug}`)).status).toBe(404);
  await outside.send("POST", "/api/v1/joins", { join: { code: show.joinCode } });
  expect((await teamsOf(outside, show)).mine).toBe(1);
  expect((await (await client()).get(`/api/v1/scores/teams?session_id=${show.slug}`)).status).toBe(401);
});
