import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { readerFor } from "./browser.ts";

const deps = await testDeps();

test("a player's record opens from the leaderboard; an unknown player is 404", async () => {
  const [ana, ben, cleo] = [await buildPlayer(deps), await buildPlayer(deps), await buildPlayer(deps)];
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: ana.id, eventId: event.id, side: "true", wagerCents: 250 });
  await buildCall(deps, { userId: ben.id, eventId: event.id, side: "false", wagerCents: 400 });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const reader = await readerFor(deps, createServer(deps), cleo);

  expect((await reader.open("/leaderboard")).html).toContain(`href="/leaderboard/${ana.id}"`);
  const { status, html } = await reader.open(`/leaderboard/${ana.id}`);
  expect(status).toBe(200);
  for (const text of [ana.username, "+$4.00", "Most right in a row", "Back to the leaderboard"]) {
    expect(html).toContain(text);
  }
  for (const path of [`/leaderboard/${cleo.id}`, "/leaderboard/987654"]) {
    expect([path, (await reader.open(path)).status]).toEqual([path, 404]);
  }
});
