import { expect, spyOn, test } from "bun:test";
import type { Deps } from "#src/base/deps.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { readByEndpoints, readPage } from "./read-page.ts";

const { deps, build, signIn } = await testWorld();

async function buildVisit() {
  const session = await build.runningSession();
  const player = await build.player();
  const credentials = await signIn(player);
  return { path: `/sessions/${session.slug}`, session, player, credentials };
}

test("while Redis does not answer, only the first pages wait for it, and the offsets are unknown until it answers again", async () => {
  const server = await createTestRedis();
  const paused: Deps = { ...deps, redis: server.redis };
  const { path, player, session, credentials } = await buildVisit();
  expect((await readPage(paused, path, credentials)).offsets.user).not.toBeNull();
  process.kill(server.pid, "SIGSTOP");
  try {
    const unknown = { user: null, session: null };
    expect((await readPage(paused, path, credentials)).offsets).toEqual(unknown);
    const commands = spyOn(server.redis, "sendCommand");
    const page = await readPage(paused, path, credentials);
    expect(page.offsets).toEqual(unknown);
    expect(page.session).toMatchObject({ id: session.id, playersOnline: 0 });
    expect(page.frame?.wallet.balanceCents).toBe(10_000);
    // The connection also pings, by itself.
    expect(commands.mock.calls.filter(([{ name }]) => name !== "ping")).toEqual([]);
    commands.mockRestore();
  } finally {
    process.kill(server.pid, "SIGCONT");
  }
  await waitFor("the offsets to be known again", async () => {
    return (await readPage(paused, path, credentials)).offsets.user !== null;
  });
  expect(await readPage(paused, path, credentials)).toMatchObject({
    offsets: { session: { id: session.id } },
  });
  expect(player.id).toBeGreaterThan(0);
  await server.stop();
});

test("without Redis a page has all its data", async () => {
  const { path, session, player, credentials } = await buildVisit();
  const server = await createTestRedis();
  await server.stop();
  const away: Deps = { ...deps, redis: server.redis };
  const page = await readPage(away, path, credentials);
  const expected = await readByEndpoints(away, player.id, session.slug);
  const time = page.action?.serverTime ?? "";
  expect(JSON.parse(withTime(page, time))).toEqual(JSON.parse(withTime(expected, time)));
});

/** JSON with the server's times replaced. */
function withTime(page: unknown, time: string): string {
  return JSON.stringify(page, (key, value: unknown) => (key === "serverTime" ? time : value));
}
