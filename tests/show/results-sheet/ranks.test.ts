import { expect, test } from "bun:test";
import { findScores } from "#src/play/leaderboard/find-scores.ts";
import { showSheet } from "#src/show/results-sheet/show-sheet.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();

test("players who have won as often are ranked by fewer losses, then by the higher net, as on the leaderboard", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const [once, large, small, rival] = [
    await buildPlayer(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
  ];
  const play = async (winner: number, wagerCents: number, loser = rival.id) => {
    const { id: eventId } = await buildEvent(deps, "open", { sessionId });
    await buildCall(deps, { userId: winner, eventId, side: "true", wagerCents });
    await buildCall(deps, { userId: loser, eventId, side: "false", wagerCents });
    await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  };
  await play(once.id, 100);
  await play(large.id, 900);
  await play(small.id, 500);
  for (const loser of [large, small]) await play(rival.id, 50, loser.id);
  const { players } = await showSheet(deps, slug);
  const expected = [
    [rival.id, 1],
    [once.id, 2],
    [large.id, 3],
    [small.id, 4],
  ];
  expect(players.map(({ userId, rank }) => [userId, rank ?? 0])).toEqual(expected);
  const { scores } = await findScores(deps, { sessionId, limit: 100, offset: 0 });
  expect(scores.map(({ userId, rank }) => [userId, rank])).toEqual(expected);
});
