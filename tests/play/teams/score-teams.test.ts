import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { excludePlayer } from "#src/play/leaderboard/exclude-player.ts";
import { findTeamNumbers, findTeams } from "#src/play/teams/find-teams.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { replayAnswer } from "#src/replays/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { stageAnswer } from "#src/show/stage/schemas.ts";
import { listenToStreams } from "#tests/live/relay/stream-listener.ts";
import type { TestClient } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { inTeams, names } from "./in-teams.ts";

const { deps, db, build, read, unchanged } = await testWorld();
const { admin, host, open, clientOf, teamsOf, choose, teamOf, expectRefused, playEvent } =
  await inTeams(deps);

let show: SessionRow;
beforeEach(async () => {
  show = await open();
});

const move = (who: TestClient, userId: number, number: number) =>
  who.send("PUT", `/api/v1/sessions/${show.slug}/players/${userId}/team`, { team: { number } });

/** Players who have joined the show, each in the team of this number. */
async function joinIn(...numbers: number[]): Promise<number[]> {
  const rows = [];
  for (const team of numbers) {
    const { id: userId } = await build.player();
    rows.push({ sessionId: show.id, userId, displayName: "P", team });
  }
  await db.insert(registrations).values(rows);
  return rows.map(({ userId }) => userId);
}

test("a team's score is its net divided by its players with a result and five, without excluded players", async () => {
  const players = await joinIn(1, 1, 2, 2, 3);
  const [ana = 0, ben = 0, cleo = 0] = players;
  // Ana and Ben win $6.00 and $3.00 of Cleo, who has lost $9.00.
  await playEvent(show, [
    [ana, 600, "true"],
    [ben, 300, "true"],
    [cleo, 900, "false"],
  ]);
  const who = await clientOf({ id: ana });
  const scoresOf = ({ teams }: TeamsAnswer) =>
    teams.map((team) => [
      team.name,
      team.rank,
      team.tied,
      `${team.playersCount} of ${team.membersCount}`,
      team.netCents,
      team.score,
    ]);
  expect(scoresOf(await teamsOf(who, show))).toEqual([
    ["Foxes", 1, false, "2 of 2", 900, 1.29],
    ["Bears", 2, false, "0 of 1", 0, 0],
    ["Owls", 3, false, "1 of 2", -900, -1.5],
  ]);
  await excludePlayer(deps, { actor: admin, userId: cleo, sessionId: show.slug, reason: "Saw it early" });
  expect(scoresOf(await teamsOf(who, show))).toEqual([
    ["Foxes", 1, false, "2 of 2", 900, 1.29],
    ["Owls", 2, true, "0 of 2", 0, 0],
    ["Bears", 2, true, "0 of 1", 0, 0],
  ]);
  // Where guests are not ranked they do not count in their team either.
  const unranked = { ...deps, env: { ...deps.env, rankGuests: false } };
  await db.update(users).set({ guest: true, email: null, confirmedAt: null }).where(eq(users.id, ben));
  expect((await findTeams(unranked, show.id))[0]).toMatchObject({ playersCount: 1, netCents: 600 });
  const numberOf = new Map(players.map((id, index) => [id, [1, 1, 2, 2, 3][index] ?? 0]));
  expect(await findTeamNumbers(db, show.id)).toEqual({ names, numberOf });
});

test("a host moves a player also after a result, and the audit says so", async () => {
  const [ana, ben] = [await build.player(), await build.player()];
  await playEvent(show, [
    [ana.id, 500, "true"],
    [ben.id, 500, "false"],
  ]);
  expect(await teamOf(ana.id, show)).toBe(1);
  expect((await move(host, ana.id, 3)).body).toMatchObject({
    team: { userId: ana.id, number: 3, name: "Bears" },
  });
  const lines = await read.audit({ sessionId: show.id });
  expect(lines.filter(({ action }) => action === "move_player")).toMatchObject([
    { actorId: admin.id, subjectType: "user", subjectId: ana.id, before: { team: 1 }, after: { team: 3 } },
  ]);
  const told = await read.told(ana.id);
  expect(told.filter(({ kind }) => kind === "announcement")).toMatchObject([
    { title: "You play for Bears now", url: `/sessions/${show.slug}` },
  ]);
  // Repeating it changes nothing.
  expect((await unchanged(() => move(host, ana.id, 3))).status).toBe(200);

  const a = await clientOf(ana);
  await expectRefused(() => move(a, ben.id, 1), 403, { code: "forbidden" });
  await expectRefused(() => move(host, ana.id, 4), 422, { errors: { number: ["is invalid"] } });
  await expectRefused(() => move(host, 999_999, 1), 404, {});
  const stranger = await build.player();
  await expectRefused(() => move(host, stranger.id, 1), 422, { errors: { user: ["is invalid"] } });
  await host.send("PUT", `/api/v1/sessions/${show.slug}/stop`);
  await expectRefused(() => move(host, ana.id, 2), 422, { errors: { session: ["is invalid"] } });
  await expectRefused(() => choose(a, show, 2), 422, { errors: { session: ["is invalid"] } });
});

test("what a player has won stays with the team when a host removes the player, who comes back into it", async () => {
  const [ana, ben] = [await build.player(), await build.player()];
  await playEvent(show, [
    [ana.id, 500, "true"],
    [ben.id, 500, "false"],
  ]);
  const [a, teams] = [await clientOf(ana), await teamsOf(host, show)];
  const sums = ({ teams: all }: typeof teams) =>
    all.map(({ number, playersCount, netCents, scoreCents }) => ({
      number,
      playersCount,
      netCents,
      scoreCents,
    }));
  const path = `/api/v1/sessions/${show.slug}`;
  const remove = (id: number) => host.send("DELETE", `${path}/players/${id}?new_code=1`);
  const comeBack = async (who: TestClient, team: number) => {
    await host.send("PUT", `${path}/join_code`);
    const { joinCode } = await read.session(show.id);
    return (await who.send("POST", "/api/v1/joins", { join: { code: joinCode, team } })).status;
  };
  expect((await remove(ana.id)).status).toBe(204);
  expect(await teamOf(ana.id, show)).toBeUndefined();
  expect(sums(await teamsOf(host, show))).toEqual(sums(teams));
  expect((await findTeamNumbers(db, show.id)).numberOf.get(ana.id)).toBe(1);
  // The team has a player's results, so it keeps its place.
  const settings = { teams: ["Owls", "Foxes", "Bears"] };
  await expectRefused(() => host.send("PATCH", path, { session: { settings } }), 422, {});
  expect([await comeBack(a, 3), await teamOf(ana.id, show)]).toEqual([201, 1]);
  expect(sums(await teamsOf(host, show))).toEqual(sums(teams));
  // Who has no result chooses.
  const cleo = await build.player();
  const c = await clientOf(cleo);
  await choose(c, show, 2);
  await remove(cleo.id);
  expect([await comeBack(c, 3), await teamOf(cleo.id, show)]).toEqual([201, 3]);
});

test("the message about the leaders, the big screen and the replay have the teams of now", async () => {
  const relay = createRelay(deps);
  const listener = await listenToStreams(deps.env.redisUrl);
  const [ana, ben] = [await build.player(), await build.player()];
  await playEvent(show, [
    [ana.id, 500, "true"],
    [ben.id, 500, "false"],
  ]);
  await move(host, ana.id, 3);
  relay.notify();
  const isTold = (message: SessionMessage) =>
    message.sourceType === "Score" && message.detail.teams?.[0]?.number === 3;
  await waitFor("a message with the moved team", () => listener.session(show.id).some(isTold));
  listener.stop();
  await relay.stop();

  const a = await clientOf(ana);
  const { teams } = await a.read(`/api/v1/sessions/${show.slug}/stage`, stageAnswer);
  expect(teams).toEqual((await teamsOf(a, show)).teams);
  expect(teams[0]).toMatchObject({ number: 3, netCents: 500 });
  const { replay } = await host.read(`/api/v1/sessions/${show.slug}/replay`, replayAnswer);
  const shown = replay.steps.findLast(({ leaders }) => leaders !== null)?.leaders?.teams;
  expect(shown).toEqual(teams.map(({ membersCount: _members, net: _net, score: _score, ...team }) => team));
});
