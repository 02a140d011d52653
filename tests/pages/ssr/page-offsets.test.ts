import { expect, test } from "bun:test";
import { broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, server } = await testWorld();

/** The stream offsets in a page. */
async function offsetsOn(path: string, headers: Record<string, string>): Promise<unknown> {
  const request = new Request(`http://localhost:3000${path}`, {
    headers: { ...headers, accept: "text/html" },
  });
  const page = await (await server.handle(request)).text();
  const said = /data-stream-offsets="([^"]*)"/.exec(page)?.[1] ?? "null";
  return JSON.parse(said.replaceAll("&quot;", '"'));
}

test("a session's page has its streams' offsets; other pages only the player's own", async () => {
  const player = await build.player();
  const headers = await signInDirectly(deps, player);
  const [running, planned] = [await build.runningSession(), await build.session()];
  const streams = [userStream(player.id), sessionStream(running.id), sessionStream(planned.id)];
  await broadcast(
    deps.redis,
    streams.map((stream) => ({ stream, text: '{"said":1}' })),
  );
  const [user, ofRunning, ofPlanned] = await findStreamOffsets(deps.redis, streams);
  expect(await offsetsOn(`/sessions/${running.slug}`, headers)).toEqual({
    user,
    session: { ...ofRunning, id: running.id },
  });
  expect(await offsetsOn(`/sessions/${planned.slug}`, headers)).toEqual({
    user,
    session: { ...ofPlanned, id: planned.id },
  });
  expect(await offsetsOn("/profile", headers)).toEqual({ user, session: null });
  expect(await offsetsOn("/users/sign_in", {})).toEqual({ user: null, session: null });
});

test("while Redis is unavailable the page is served without offsets", async () => {
  const headers = await signInDirectly(deps, await build.player());
  deps.redis.disconnect();
  expect(await offsetsOn("/profile", headers)).toEqual({ user: null, session: null });
});
