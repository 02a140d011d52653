import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { broadcast, sessionStream, userStream } from "#src/streams/broadcast.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";
import { buildPlayer, buildRunningSession, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { signInDirectly } from "#tests/support/visitor.ts";

const deps = await testDeps();
const server = createServer(deps);

/** The places that a page says it was written at. */
async function placesOn(path: string, headers: Record<string, string>): Promise<unknown> {
  const request = new Request(`http://localhost:3000${path}`, {
    headers: { ...headers, accept: "text/html" },
  });
  const page = await (await server.handle(request)).text();
  const said = /data-stream-offsets="([^"]*)"/.exec(page)?.[1] ?? "null";
  return JSON.parse(said.replaceAll("&quot;", '"'));
}

test("a session's page says where its streams stood; others say it of the player's own, and nobody else's page says any", async () => {
  const player = await buildPlayer(deps);
  const headers = await signInDirectly(deps, player);
  const [running, planned] = [await buildRunningSession(deps), await buildSession(deps)];
  const streams = [userStream(player.id), sessionStream(running.id), sessionStream(planned.id)];
  await broadcast(
    deps.redis,
    streams.map((stream) => ({ stream, text: '{"said":1}' })),
  );
  const [user, ofRunning, ofPlanned] = await findStreamOffsets(deps.redis, streams);
  expect(await placesOn(`/sessions/${running.slug}`, headers)).toEqual({
    user,
    session: { ...ofRunning, id: running.id },
  });
  expect(await placesOn(`/sessions/${planned.slug}`, headers)).toEqual({
    user,
    session: { ...ofPlanned, id: planned.id },
  });
  expect(await placesOn("/profile", headers)).toEqual({ user, session: null });
  expect(await placesOn("/users/sign_in", {})).toEqual({ user: null, session: null });
});

test("while Redis is away the page comes all the same, and nobody knows", async () => {
  const headers = await signInDirectly(deps, await buildPlayer(deps));
  deps.redis.disconnect();
  expect(await placesOn("/profile", headers)).toEqual({ user: null, session: null });
});
